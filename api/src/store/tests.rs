//! Cases that the black-box tests cannot set up: batches in which one change fails, and batched reads.

use std::sync::Arc;

use domain::{BySeat, Kind, Seat, Seats, Seed};
use serde_json::json;
use serde_json::value::to_raw_value;
use sqlx::{AssertSqlSafe, Connection, Executor};
use uuid::Uuid;

use super::*;
use crate::ids::{AppId, GameId, PlayerId, TokenId};
use crate::model::{
    App, At, BotSettings, Change, EntryKind, Game, IdempotencyKey, NewEntry, NewGame, NewToken, Occupant, Player,
    Position, Scope, SeatChange, Sitter, Status, Stored, Tag, Tally, Version, Visibility,
};

const MINUTE: std::time::Duration = std::time::Duration::from_secs(60);

/// An empty SQLite database and an empty Postgres database.
async fn stores() -> Vec<(&'static str, Arc<Store>)> {
    let name = format!("maidan_store_{}", Uuid::now_v7().simple());
    let limits = PoolLimits {
        connections: 8,
        acquire: std::time::Duration::from_secs(5),
        statement: std::time::Duration::from_secs(5),
    };
    let sqlite = Sqlite::open(&std::env::temp_dir().join(&name), &limits);
    let server = std::env::var("MAIDAN_TEST_POSTGRES").expect("this test needs Postgres: run it by ./test");
    let mut admin = sqlx::PgConnection::connect(&format!("{server}/postgres")).await.expect("Postgres answers");
    admin.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.expect("a database is made");
    let postgres = Postgres::connect(&format!("{server}/{name}"), &limits).expect("it is an address");
    let stores = vec![("SQLite", Arc::new(Store::Sqlite(sqlite))), ("Postgres", Arc::new(Store::Postgres(postgres)))];
    for (_, store) in &stores {
        store.migrate().await.expect("the tables are made");
    }
    stores
}

async fn app(store: &Store) -> AppId {
    let app = App { id: AppId::fresh(), name: "app".into(), created_at: At::now(), revoked_at: None };
    store.create_app(&app).await.expect("it is new");
    app.id
}

async fn running_game(store: &Store, app: AppId, seating: [Option<PlayerId>; 2]) -> Game {
    let game = Game {
        id: GameId::fresh(),
        app,
        kind: Kind::Kalah,
        rules_version: 1,
        options: to_raw_value(&json!({})).expect("it is JSON").into(),
        visibility: Visibility::Public,
        status: Status::Running,
        version: Version(1),
        tag: Tag::fresh(),
        ply: 0,
        seed: Seed::new([0; 32]),
        origin: None,
        rematch_of: None,
        join_code: None,
        opener: None,
        seating: BySeat::from(
            seating.map(|player| player.map(|player| Occupant::Player(Sitter::of(player, false)))).to_vec(),
        ),
        bots: BotSettings::default(),
        bot_seats: Seats::NONE,
        position: Some(Position::Saved(b"at the start".as_slice().into())),
        to_act: Seats::one(Seat::new(0)),
        decisions: BySeat::from(vec![Some(Version(1)), None]),
        created_at: At::now(),
        changed_at: At::now(),
        expires_at: None,
        started_at: Some(At::now()),
        ended_at: None,
    };
    let entries = vec![NewEntry::about(EntryKind::Opened, None, None)];
    let new = NewGame { game: Arc::new(game), key: None, metadata: None, entries };
    store.create_game(&new).await.expect("it is new");
    Game::clone(&new.game)
}

/// A move of seat 0, with an idempotency key.
fn moved(game: &Game, key: &str) -> Change {
    let version = game.version.plus(1);
    let position = Some(Position::Saved(format!("after {key}").into_bytes().into()));
    let key = Some(IdempotencyKey { key: key.into(), hash: vec![1] });
    let player = Some(PlayerId(Uuid::nil()));
    let entry =
        NewEntry { notation: Some("0".into()), key, ..NewEntry::about(EntryKind::Moved, Some(Seat::new(0)), player) };
    Change {
        game: Arc::new(Game { version, tag: Tag::fresh(), ply: game.ply + 1, position, ..game.clone() }),
        from: game.head(),
        outcome: None,
        seating: SeatChange::Unchanged,
        entries: vec![entry],
        key: None,
        at: At::now(),
    }
}

/// Batches changes as the service does.
fn batcher(store: &Arc<Store>) -> Arc<Batcher<Change, Stored>> {
    let store = Arc::clone(store);
    Arc::new(Batcher::new(store.most_batches(), move |changes: Vec<Change>| {
        let store = Arc::clone(&store);
        async move { store.store_batch(&changes.iter().collect::<Vec<_>>()).await }
    }))
}

#[tokio::test]
async fn of_changes_stored_together_each_gets_what_it_deserves() {
    for (name, store) in stores().await {
        let (app, changes) = (app(&store).await, batcher(&store));
        let mut games = Vec::new();
        for _ in 0..40 {
            games.push(running_game(&store, app, [None, None]).await);
        }
        // The first game has a newer version; the second has already used the key.
        for game in &mut games[..2] {
            let change = moved(game, "used");
            assert_eq!(store.store_change(&change).await.expect("nothing is in its way"), Stored::Yes);
        }
        games[1] = store.game(games[1].id).await.expect("it is read").expect("it is there");

        let mut waiting = Vec::new();
        for (place, game) in games.iter().enumerate() {
            // Two for the third game: one of them loses the compare-and-set.
            for copy in 0..if place == 2 { 2 } else { 1 } {
                let key = if place == 1 { "used".to_string() } else { format!("new-{copy}") };
                let (changes, change) = (Arc::clone(&changes), moved(game, &key));
                waiting.push((place, tokio::spawn(async move { changes.submit(change).await })));
            }
        }
        let mut stored = vec![0; games.len()];
        for (place, answer) in waiting {
            match (place, answer.await.expect("it is answered")) {
                (0, answer) => assert!(matches!(answer, Ok(Stored::Overtaken)), "{name}: {answer:?}"),
                (1, answer) => assert!(matches!(answer, Err(StoreError::Taken(_))), "{name}: {answer:?}"),
                (2, Ok(Stored::Overtaken)) => {}
                (_, Ok(Stored::Yes)) => stored[place] += 1,
                (place, answer) => panic!("{name}: {place}: {answer:?}"),
            }
        }
        assert_eq!(stored[..2], [0, 0], "{name}");
        assert!(stored[2..].iter().all(|times| *times == 1), "{name}: {stored:?}");
        for game in &games {
            let entries = store.entries(game.id, game.kind, Version(0), 10).await.expect("they are read");
            assert_eq!(entries.len(), 2, "{name}: one move each, stored once");
            let now = store.game(game.id).await.expect("it is read").expect("it is there");
            assert_eq!((now.version, now.ply), (Version(2), 1), "{name}");
            assert_eq!(store.head(game.id).await.expect("it is read"), Some(now.head()), "{name}");
        }
        assert_eq!(store.head(GameId::fresh()).await.expect("it is looked for"), None);
    }
}

#[tokio::test]
async fn games_that_end_among_others_that_go_on_have_their_results() {
    for (name, store) in stores().await {
        let (app, changes) = (app(&store).await, batcher(&store));
        let players = [PlayerId::fresh(), PlayerId::fresh()];
        let mut waiting = Vec::new();
        for number in 0..40 {
            let game = running_game(&store, app, players.map(Some)).await;
            let mut change = moved(&game, "last");
            // Of ten games four go on, three are won by seat 0, two by seat 1, and one by nobody.
            let outcome = match number % 10 {
                0..4 => None,
                4..7 => Some(json!({ "winners": [0], "places": [1, 2] })),
                7..9 => Some(json!({ "winners": [1], "places": [2, 1] })),
                _ => Some(json!({ "winners": [], "places": [1, 1] })),
            };
            if outcome.is_some() {
                let ended = Arc::make_mut(&mut change.game);
                (ended.status, ended.ended_at) = (Status::Over, Some(change.at));
            }
            change.outcome = outcome.clone();
            let changes = Arc::clone(&changes);
            waiting.push((game.id, outcome, tokio::spawn(async move { changes.submit(change).await })));
        }
        for (game, outcome, answer) in waiting {
            assert_eq!(answer.await.expect("it is answered").expect("nothing is in its way"), Stored::Yes, "{name}");
            let now = store.game(game).await.expect("it is read").expect("it is there");
            assert_eq!((now.version, now.status == Status::Over), (Version(2), outcome.is_some()), "{name}");
            assert_eq!(now.ended_at.is_some(), outcome.is_some(), "{name}");
            assert_eq!(store.outcome(game).await.expect("it is read"), outcome, "{name}");
        }
        for (player, won, lost) in [(players[0], 12, 8), (players[1], 8, 12)] {
            let tallies = store.tallies(player, Scope::All, None, false).await.expect("they are counted");
            let [Tally { played, won: has_won, shared, drawn, lost: has_lost, places, .. }] = tallies[..] else {
                panic!("{name}: one kind was played")
            };
            assert_eq!((played, has_won, shared, drawn, has_lost), (24, won, 0, 4, lost), "{name}");
            assert_eq!(places, won + 4 + 2 * lost, "{name}");
        }
        let still_on = store.games_still_on(players[0], GameId(Uuid::nil()), 100).await.expect("they are found");
        assert_eq!(still_on.len(), 16, "{name}");
    }
}

#[tokio::test]
async fn of_many_who_ask_at_the_same_time_each_gets_its_own_answer() {
    for (name, store) in stores().await {
        let app_id = app(&store).await;
        let mut asking = tokio::task::JoinSet::new();
        for number in 0..40_u8 {
            let player = Player {
                id: PlayerId::fresh(),
                app_id,
                external_id: None,
                name: format!("Player {number}"),
                is_bot: false,
                created_at: At::now(),
                deleted_at: None,
            };
            store.upsert_player(&player, None, None).await.expect("it is new");
            let now = At::now();
            // Every fourth token has expired, and every fourth game does not exist.
            let is_good = number % 4 != 0;
            let expires_at = if is_good { now.plus(MINUTE) } else { now.minus(MINUTE) };
            let (hash, expires_at) = (vec![number; 32], Some(expires_at));
            let token = NewToken {
                id: TokenId::fresh(),
                player_id: player.id,
                hash: hash.clone(),
                issued_with: None,
                created_at: now,
                expires_at,
            };
            assert!(store.add_token(&token, 10, None).await.expect("it is new"));
            let game = running_game(&store, app_id, [Some(player.id), None]).await;
            let wanted = if is_good { game.id } else { GameId::fresh() };
            let store = Arc::clone(&store);
            asking.spawn(async move {
                let (people, games) = ([player.id, PlayerId::fresh()], [wanted]);
                let (found, version, players, bearer, rematches) = tokio::join!(
                    store.game(wanted),
                    store.head(wanted),
                    store.players(&people),
                    store.player_by_token(&hash, now),
                    store.rematches(&games),
                );
                let head = game.head();
                let found = found.expect("it is looked for").map(|game| (game.id, game.seating));
                assert_eq!(found.is_some(), is_good, "{name}");
                assert!(found.is_none_or(|found| found == (game.id, game.seating)), "{name}");
                assert_eq!(version.expect("it is looked for"), is_good.then_some(head), "{name}");
                assert_eq!(players.expect("they are looked for"), std::slice::from_ref(&player), "{name}");
                let bearer = bearer.expect("it is looked for");
                assert_eq!(bearer, is_good.then_some((player, expires_at)), "{name}");
                assert_eq!(rematches.expect("they are looked for"), [], "{name}");
            });
        }
        while let Some(asked) = asking.join_next().await {
            asked.expect("everybody is answered rightly");
        }
    }
}

#[tokio::test]
async fn of_several_hosts_those_that_only_read_are_passed_over() {
    let (_, store) = stores().await.swap_remove(1);
    let Store::Postgres(db) = &*store else { panic!("Postgres comes second") };
    let writable = db.writes.settings();
    // As a standby is: it accepts connections, and only reads.
    let standby = writable.clone().options([("default_transaction_read_only", "on")]);
    let second = std::time::Duration::from_secs(5);
    let pool = |hosts| pool::Pool::<sqlx::Postgres>::new("hosts", &pool::Server::new(second), 1, second, hosts);
    let write = "INSERT INTO readiness (id, at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET at = now()";
    let read = sqlx::query(write).execute(&pool(vec![standby.clone()])).await.map_err(StoreError::from);
    assert!(matches!(read, Err(StoreError::Away(_))), "{read:?}");
    for hosts in [vec![standby.clone(), writable.clone()], vec![writable, standby.clone(), standby.clone()]] {
        let pool = pool(hosts);
        for _ in 0..3 {
            sqlx::query(write).execute(&pool).await.expect("one of them accepts writes");
        }
    }
    let neither = sqlx::query(write).execute(&pool(vec![standby.clone(), standby])).await.map_err(StoreError::from);
    assert!(matches!(neither, Err(StoreError::Away(_))), "{neither:?}");
}

#[tokio::test]
async fn a_full_disk_fails_writes_only_as_long_as_it_is_full() {
    let (_, store) = stores().await.swap_remove(0);
    let Store::Sqlite(db) = &*store else { panic!("SQLite comes first") };
    let app = app(&store).await;
    let (mut game, readiness) = (running_game(&store, app, [None, None]).await, Readiness::default());
    for round in 0..3 {
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&db.writes).await.expect("it is read");
        let limit = AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        sqlx::query(limit).execute(&db.writes).await.expect("it is set");
        // The limit belongs to the connection: the failure that it causes ends it.
        let failure = loop {
            let mut change = moved(&game, &format!("{round}-{}", game.version));
            change.entries[0].notation = Some("0".repeat(2000));
            match store.store_change(&change).await {
                Ok(stored) => assert_eq!(stored, Stored::Yes),
                Err(failure) => break failure,
            }
            game = Game::clone(&change.game);
        };
        assert!(matches!(failure, StoreError::Away(_)), "{failure}");
        readiness.check(&store).await.expect("there is room again");
        let change = moved(&game, &format!("{round}-after"));
        assert_eq!(store.store_change(&change).await.expect("there is room again"), Stored::Yes);
        game = Game::clone(&change.game);
        running_game(&store, app, [None, None]).await;
    }
}
