# syntax=docker/dockerfile:1
FROM rust:1.95-slim-bookworm AS build
# aws-lc (TLS to Postgres) and SQLite are built from C.
RUN apt-get update && apt-get install -y --no-install-recommends cmake g++ make && rm -rf /var/lib/apt/lists/*
WORKDIR /maidan
COPY Cargo.toml Cargo.lock record.schema.json ./
COPY domain domain
COPY api api
COPY bench bench
COPY migrations migrations
COPY tests tests
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/maidan/target \
    cargo build --release --locked -p maidan && cp target/release/maidan /usr/local/bin/maidan

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --user-group maidan && install -d -o maidan -g maidan /data
COPY --from=build /usr/local/bin/maidan /usr/local/bin/maidan
USER maidan
# The embedded database, if no DATABASE_URL is given. Mount a volume here to keep it.
WORKDIR /data
ENV MAIDAN_LISTEN=0.0.0.0:8080 \
    MAIDAN_DATA=/data/maidan.db \
    MAIDAN_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["maidan", "healthcheck"]
ENTRYPOINT ["maidan"]
CMD ["serve"]
