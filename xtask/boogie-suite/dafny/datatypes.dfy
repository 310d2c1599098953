// Inductive and coinductive datatypes, matching, recursive functions and lemmas.
datatype Tree<T> = Leaf | Node(left: Tree<T>, value: T, right: Tree<T>)
codatatype Stream = Cons(head: int, tail: Stream)

function Size<T>(t: Tree<T>): nat
{
  match t
  case Leaf => 0
  case Node(l, _, r) => Size(l) + 1 + Size(r)
}

function method Mirror<T>(t: Tree<T>): Tree<T>
{
  if t.Leaf? then Leaf else Node(Mirror(t.right), t.value, Mirror(t.left))
}

lemma MirrorKeepsSize<T>(t: Tree<T>)
  ensures Size(Mirror(t)) == Size(t)
{
  match t {
    case Leaf =>
    case Node(l, v, r) => MirrorKeepsSize(l); MirrorKeepsSize(r);
  }
}

function Up(n: int): Stream { Cons(n, Up(n + 1)) }

copredicate Positive(s: Stream) { s.head > 0 && Positive(s.tail) }

colemma UpIsPositive(n: int)
  requires n > 0
  ensures Positive(Up(n))
{
  UpIsPositive(n + 1);
}
