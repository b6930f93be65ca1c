//! Random games of every kind come to an end.

use domain::playout::playout;
use domain::{Kind, Rules, with_rules};

#[test]
fn random_games_of_every_kind_version_and_number_of_seats_end_by_a_rule() {
    for kind in Kind::ALL {
        for version in kind.rules_versions() {
            for seats in kind.seats() {
                let played = with_rules!(*kind, R => {
                    playout::<R>(&<R as Rules>::Options::default(), version, seats, 20, 3)
                });
                let played = played.expect("the default options are good");
                assert_eq!(played.games, 20);
                assert!(!played.endings.contains_key("PLY_LIMIT"), "{kind} {version} {seats}: {played:?}");
            }
        }
    }
}
