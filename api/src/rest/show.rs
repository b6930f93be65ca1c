//! Responses with games. Everything that can fail is decoded before the response is written.

use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;

use super::paging::Paged;
use crate::error::Result;
use crate::games::{self, Done, Page, Snapshot, Table};
use crate::service::Maidan;
use crate::wire::{ChangedGame, Game, GamePage, Played};

/// A table as its caller may see it.
pub async fn game(maidan: &Maidan, table: Table) -> Result<Game> {
    let snapshot = Snapshot::of(maidan, table).await?;
    snapshot.prepare()?;
    Ok(snapshot.into())
}

pub fn page(page: Page) -> Result<Paged<GamePage>> {
    page.games.iter().try_for_each(Snapshot::prepare)?;
    let games = page.games.into_iter().map(Snapshot::brief).collect();
    Ok(Paged(Page { games, ..page }.into()))
}

pub fn played(played: games::Played) -> Result<HttpResponse> {
    played.game.prepare()?;
    let played = games::Played { game: played.game.brief(), ..played };
    Ok(answer(HttpResponse::Ok(), played.repeated, &Played::from(played)))
}

/// The game that a request changed.
pub async fn changed(maidan: &Maidan, Done { table, repeated }: Done) -> Result<HttpResponse> {
    let object = game(maidan, table).await?;
    Ok(answer(HttpResponse::Ok(), repeated, &ChangedGame { object, repeated }))
}

/// The game that a request opened, with its address.
pub async fn created(maidan: &Maidan, Done { table, repeated }: Done) -> Result<HttpResponse> {
    let object = game(maidan, table).await?;
    let mut response = HttpResponse::Created();
    response.insert_header(("Location", format!("/v1/games/{}", *object.id)));
    Ok(answer(response, repeated, &ChangedGame { object, repeated }))
}

/// The answer to a request that takes an idempotency key. A header marks the answer to a repeated request.
pub fn answer(mut response: HttpResponseBuilder, repeated: bool, body: &impl Serialize) -> HttpResponse {
    if repeated {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    response.json(body)
}
