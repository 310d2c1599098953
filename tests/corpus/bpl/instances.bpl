// Datatypes with type parameters, in maps in each other's fields.
type Key;
datatype Option<T> { None(), Some(value: T) }
datatype Id<T> { Id(of: T) }
datatype Node<T> { Node(next: Option Key, item: T) }
datatype Table<K, V> { Table(domain: [K]bool, at: [K]V) }
datatype List { List(head: Option Key, nodes: Table (Id Key) (Node int)) }

procedure Follow(list: List) returns (sum: int)
{
  var key: Id Key;
  var node: Node int;
  sum := 0;
  if (list->head is Some) {
    key := Id(list->head->value);
    if (list->nodes->domain[key]) {
      node := list->nodes->at[key]; //@ covered
      sum := node->item;
      if (node->item == 7 && node->next == list->head) {
        sum := 8; //@ covered
        assert list->nodes->at[Id(node->next->value)]->item == 7; //@ holds
      }
      if (node->next is Some && node->next == None()) {
        sum := 9; //@ unreachable
      }
    }
  }
  assert sum != 5; //@ fails
}

procedure Put<K, V>(table: Table K V, key: K, value: V) returns (changed: Table K V)
{
  changed := table;
  changed->domain[key] := true;
  changed->at[key] := value;
  if (changed == table) {
    assert table->at[key] == value; //@ holds
  } else if (table->domain[key]) {
    assert table->at[key] != value; //@ holds
  }
}
