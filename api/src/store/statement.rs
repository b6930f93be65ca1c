//! Names of SQL statements, by which their time is measured.

/// What a statement does with which table: `UPDATE games`. The first write counts, otherwise the first table that is read.
/// All statements are part of the program, so there are few names.
pub fn name(sql: &str) -> String {
    let mut read = None;
    let (mut before, mut previous) = ("", "");
    for word in sql.split_whitespace().map(|word| word.trim_start_matches('(')) {
        let end = word.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(word.len());
        let (table, rest) = word.split_at(end);
        if !table.is_empty() {
            match previous {
                "UPDATE" => return format!("UPDATE {table}"),
                "INTO" => return format!("INSERT {table}"),
                "FROM" if before == "DELETE" => return format!("DELETE {table}"),
                // With a bracket it is a function.
                "FROM" if read.is_none() && !rest.starts_with('(') => read = Some(format!("SELECT {table}")),
                _ => {}
            }
        }
        (before, previous) = (previous, word);
    }
    read.unwrap_or_else(|| "other".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_named_by_its_first_write_or_else_by_what_it_reads() {
        for (sql, wanted) in [
            ("SELECT id, name FROM players WHERE id = $1", "SELECT players"),
            ("SELECT g.id FROM unnest($1::uuid[]) AS u (id) JOIN games g ON g.id = u.id", "other"),
            ("SELECT x FROM (SELECT y FROM entries) AS e", "SELECT entries"),
            (
                "WITH new AS (SELECT * FROM jsonb_to_recordset($1)), done AS (UPDATE games SET ply = 1) SELECT 1",
                "UPDATE games",
            ),
            ("INSERT INTO tokens(hash, player)\nVALUES ($1, $2) ON CONFLICT DO UPDATE SET x = 1", "INSERT tokens"),
            ("INSERT OR IGNORE INTO games SELECT 1", "INSERT games"),
            ("DELETE FROM stream_tickets WHERE expires_at < $1", "DELETE stream_tickets"),
            ("SELECT id FROM games WHERE id = $1 FOR UPDATE SKIP LOCKED", "SELECT games"),
            ("NOTIFY x", "other"),
        ] {
            assert_eq!(name(sql), wanted, "{sql}");
        }
    }
}
