//! Two servers on one database: each keeps games at hand, and neither may ever answer with what is past.

use serde_json::{Value, json};

use crate::support::{Database, Door, Person, Refused, World};

/// Two servers and a door to each.
struct Two {
    world: World,
    here: Box<dyn Door>,
    there: Box<dyn Door>,
    _other: crate::support::Server,
}

impl Two {
    async fn servers(by_graphql: bool) -> Two {
        let world = World::with(Database::Postgres, by_graphql, &[]).await;
        let other = crate::support::Server::start(&world.server.home, &[]).await;
        let (here, there) = (world.door.to(&world.server.address), world.door.to(&other.address));
        Two { world, here, there, _other: other }
    }
}

async fn look(door: &dyn Door, who: &Person, id: &str) -> Value {
    door.call(Some(&who.token), None, "game", json!({ "gameId": id })).await.expect("it may be seen")
}

async fn play(door: &dyn Door, who: &Person, id: &str, notation: &str, key: &str) -> Result<Value, Refused> {
    let ask = json!({ "gameId": id, "notation": notation, "idempotencyKey": key });
    door.call(Some(&who.token), None, "playMove", ask).await
}

async fn a_game_is_played_to_its_end_at_two_servers_in_turn(two: Two) {
    let (id, players) = two.world.kalah(json!({})).await;
    let doors = [&two.here, &two.there];
    for ply in 0.. {
        let (near, far) = (doors[ply % 2], doors[(ply + 1) % 2]);
        let game = look(&**near, &players[0], &id).await;
        assert_eq!(game, look(&**far, &players[0], &id).await);
        assert_eq!(game["ply"], ply);
        if game["status"] == "OVER" {
            break;
        }
        let seat = game["toAct"][0].as_u64().expect("somebody is to act");
        let who = &players[seat as usize];
        let ask = json!({ "gameId": id, "limit": 1 });
        let moves = far.call(Some(&who.token), None, "legalMoves", ask).await.expect("there are moves");
        let notation = moves["items"][0]["notation"].as_str().expect("a move has a notation");
        let played = play(&**near, who, &id, notation, &format!("ply-{ply}")).await.expect("it is legal");
        assert_eq!(played["repeated"], false);
        // The answer got lost: the other server knows what came of it.
        let repeated = play(&**far, who, &id, notation, &format!("ply-{ply}")).await.expect("it was done");
        assert_eq!(repeated["repeated"], true);
        assert_eq!(repeated["version"], played["version"]);
        assert_eq!(repeated["game"], played["game"]);
    }
}

async fn what_was_seen_before_is_no_reason_to_refuse(two: Two) {
    let (id, [asha, ben]) = two.world.kalah(json!({})).await;
    // Both servers have seen the table with Asha to move.
    for door in [&two.here, &two.there] {
        assert_eq!(look(&**door, &ben, &id).await["toAct"], json!([0]));
    }
    play(&*two.here, &asha, &id, "0", "a").await.expect("it is her turn");
    play(&*two.there, &ben, &id, "0", "b").await.expect("by now it is his turn");
    let refused = play(&*two.here, &ben, &id, "1", "c").await.expect_err("he has just moved");
    assert_eq!(refused.code, "NOT_YOUR_TURN");
    let refused = play(&*two.here, &ben, &id, "1", "b").await.expect_err("that was another move");
    assert_eq!(refused.code, "CONFLICT");
    assert_eq!(look(&*two.here, &asha, &id).await["version"], look(&*two.there, &asha, &id).await["version"]);
}

async fn one_request_sent_to_both_at_once_is_carried_out_once(two: Two) {
    for round in 0..10 {
        let (id, [asha, _]) = two.world.kalah(json!({})).await;
        if round % 2 == 0 {
            look(&*two.here, &asha, &id).await;
            look(&*two.there, &asha, &id).await;
        }
        let (one, other, third) = tokio::join!(
            play(&*two.here, &asha, &id, "0", "once"),
            play(&*two.there, &asha, &id, "0", "once"),
            play(&*two.here, &asha, &id, "0", "once"),
        );
        let answers = [one, other, third].map(|answer| answer.expect("all are told what came of it"));
        assert!(answers.iter().all(|answer| answer["version"] == 5));
        assert_eq!(answers.iter().filter(|answer| answer["repeated"] == false).count(), 1);
        assert_eq!(look(&*two.there, &asha, &id).await["version"], 5);
    }
}

async fn a_table_that_fills_at_one_server_is_full_at_the_other(two: Two) {
    let world = &two.world;
    let (asha, ben) = (world.guest("Asha").await, world.guest("Ben").await);
    let game = world.ask(&asha, "createGame", json!({ "kind": "KALAH" })).await;
    let id = game["id"].as_str().expect("a game has an id");
    for door in [&two.here, &two.there] {
        assert_eq!(look(&**door, &ben, id).await["status"], "OPEN");
    }
    let ask = json!({ "gameId": id });
    two.there.call(Some(&ben.token), None, "joinGame", ask.clone()).await.expect("a seat is open");
    assert_eq!(look(&*two.here, &ben, id).await["status"], "RUNNING");
    let carol = world.guest("Carol").await;
    let refused = two.here.call(Some(&carol.token), None, "joinGame", ask).await.expect_err("it is full");
    assert_eq!(refused.code, "CONFLICT");
}

macro_rules! at_two_servers {
    ($($story:ident),* $(,)?) => {
        $(
            mod $story {
                #[tokio::test]
                async fn by_graphql() {
                    super::$story(super::Two::servers(true).await).await;
                }

                #[tokio::test]
                async fn by_rest() {
                    super::$story(super::Two::servers(false).await).await;
                }
            }
        )*
    };
}

at_two_servers!(
    a_game_is_played_to_its_end_at_two_servers_in_turn,
    what_was_seen_before_is_no_reason_to_refuse,
    one_request_sent_to_both_at_once_is_carried_out_once,
    a_table_that_fills_at_one_server_is_full_at_the_other,
);
