# syntax=docker/dockerfile:1
FROM rust:1.95-slim-bookworm AS build
# For the C code of ring (TLS to Postgres), SQLite and mimalloc.
RUN apt-get update && apt-get install -y --no-install-recommends cmake g++ make && rm -rf /var/lib/apt/lists/*
WORKDIR /maidan
COPY Cargo.toml Cargo.lock README.md record.schema.json ./
COPY docs docs
COPY domain domain
COPY api api
COPY bench bench
COPY migrations migrations
COPY tests tests
# For /version.
ARG MAIDAN_COMMIT=""
# Such as otlp, which exports spans.
ARG MAIDAN_FEATURES=""
# A static executable. An explicit --target keeps the flag away from build scripts and procedural macros.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/maidan/target \
    host=$(rustc -vV | sed -n 's/^host: //p') && \
    RUSTFLAGS="-C target-feature=+crt-static" cargo build --profile dist --locked -p maidan --features "$MAIDAN_FEATURES" --target "$host" && \
    install -D "target/$host/dist/maidan" /image/usr/local/bin/maidan && \
    install -d -o 10001 -g 10001 /image/data

# The executable and a data directory only: no shell, no /etc/passwd.
FROM scratch
COPY --from=build /image /
USER 10001:10001
# The embedded database, used without DATABASE_URL. Mount a volume here to keep it.
WORKDIR /data
ENV MAIDAN_LISTEN=0.0.0.0:8080 \
    MAIDAN_METRICS_LISTEN=0.0.0.0:9090 \
    MAIDAN_DATA=/data/maidan.db \
    MAIDAN_LOG_FORMAT=json
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["maidan", "healthcheck"]
ENTRYPOINT ["maidan"]
CMD ["serve"]
