//! How two verdicts on a program compare, as a table.

use super::Job;
use super::verdict::Verdict;

/// What two verdicts amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    BothAccept,
    BothReject,
    WeRejectWrongly,
    WeAcceptWrongly,
    WeGiveNoAnswer,
    BoogieGivesNoAnswer,
}

use Comparison::{
    BoogieGivesNoAnswer, BothAccept, BothReject, WeAcceptWrongly, WeGiveNoAnswer, WeRejectWrongly,
};

/// In the order of the table, with whether the programs are listed.
const ALL: &[(Comparison, &str, bool)] = &[
    (BothAccept, "both accept", false),
    (BothReject, "both reject", false),
    (WeRejectWrongly, "we reject wrongly", true),
    (WeAcceptWrongly, "we accept wrongly", true),
    (WeGiveNoAnswer, "we give no answer", true),
    (BoogieGivesNoAnswer, "Boogie gives no answer", true),
];

impl Comparison {
    fn of(oracle: &Verdict, ours: &Verdict) -> Self {
        match (oracle, ours) {
            // Then there is nothing to compare with, whatever we say.
            (Verdict::None(_), _) => BoogieGivesNoAnswer,
            (_, Verdict::None(_)) => WeGiveNoAnswer,
            (Verdict::Accepts, Verdict::Accepts) => BothAccept,
            (Verdict::Rejects(_), Verdict::Rejects(_)) => BothReject,
            (Verdict::Accepts, Verdict::Rejects(_)) => WeRejectWrongly,
            (Verdict::Rejects(_), Verdict::Accepts) => WeAcceptWrongly,
        }
    }

    fn is_disagreement(self) -> bool {
        matches!(self, WeRejectWrongly | WeAcceptWrongly | WeGiveNoAnswer)
    }
}

/// Prints the programs to look at and the table; whether there is no disagreement.
pub fn print(jobs: &[Job], oracle: &[Verdict], ours: &[Verdict], skipped: &[String]) -> bool {
    let compared: Vec<Comparison> =
        oracle.iter().zip(ours).map(|(oracle, ours)| Comparison::of(oracle, ours)).collect();
    let of_kind = |kind: Comparison| {
        compared.iter().enumerate().filter(move |(_, found)| **found == kind).map(|(index, _)| index)
    };

    for &(kind, title, _) in ALL.iter().filter(|(.., is_listed)| *is_listed) {
        for (rank, index) in of_kind(kind).enumerate() {
            if rank == 0 {
                println!("\n{title}:");
            }
            println!("  {}", jobs[index].name());
            for (who, verdict) in [("Boogie", &oracle[index]), ("Footpath", &ours[index])] {
                println!("    {who:8} {} {}", verdict.word(), verdict.message());
            }
        }
    }
    if !skipped.is_empty() {
        println!("\nleft out:\n  {}", skipped.join("\n  "));
    }

    println!();
    for &(kind, title, _) in ALL {
        println!("{title:24}{:5}", of_kind(kind).count());
    }
    println!("{:24}{:5}", "left out", skipped.len());
    !compared.iter().any(|kind| kind.is_disagreement())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_disagree_unless_both_say_the_same_or_boogie_says_nothing() {
        let rejects = || Verdict::Rejects("x".to_owned());
        let none = || Verdict::None("over 20 s".to_owned());
        for (oracle, ours, expected) in [
            (Verdict::Accepts, Verdict::Accepts, BothAccept),
            (rejects(), rejects(), BothReject),
            (Verdict::Accepts, rejects(), WeRejectWrongly),
            (rejects(), Verdict::Accepts, WeAcceptWrongly),
            (rejects(), none(), WeGiveNoAnswer),
            (none(), Verdict::Accepts, BoogieGivesNoAnswer),
            (none(), none(), BoogieGivesNoAnswer),
        ] {
            let found = Comparison::of(&oracle, &ours);
            assert_eq!(found, expected, "{oracle:?} {ours:?}");
            assert_eq!(
                found.is_disagreement(),
                !matches!(found, BothAccept | BothReject | BoogieGivesNoAnswer)
            );
        }
    }
}
