SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
CREATE TABLE public.app_keys (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.apps (
    id uuid NOT NULL,
    name text NOT NULL,
    key_hash bytea,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE public.entries (
    game_id uuid NOT NULL,
    version integer NOT NULL,
    what text NOT NULL,
    seat smallint,
    player_id uuid,
    ply integer NOT NULL,
    notation text,
    is_auto boolean NOT NULL,
    is_secret boolean NOT NULL,
    events jsonb NOT NULL,
    key text,
    key_hash bytea,
    at timestamp with time zone NOT NULL,
    bot_level smallint,
    bot_version smallint,
    tag bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.game_metadata (
    game_id uuid NOT NULL,
    app_id uuid NOT NULL,
    external_id text,
    metadata text,
    revision integer NOT NULL
);
CREATE TABLE public.games (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    kind text NOT NULL,
    rules_version integer NOT NULL,
    options jsonb NOT NULL,
    seats smallint NOT NULL,
    visibility text NOT NULL,
    status text NOT NULL,
    version integer NOT NULL,
    ply integer NOT NULL,
    seed bytea NOT NULL,
    join_code text,
    created_by uuid NOT NULL,
    opener_id uuid,
    seating jsonb NOT NULL,
    state text,
    to_act smallint NOT NULL,
    decisions jsonb NOT NULL,
    outcome jsonb,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    origin jsonb,
    rematch_of uuid,
    "position" bytea,
    stand_in smallint,
    bot_pause_ms integer DEFAULT 0 NOT NULL,
    bot_seats smallint DEFAULT 0 NOT NULL,
    tag bigint DEFAULT 0 NOT NULL,
    changed_at timestamp with time zone,
    CONSTRAINT a_table_has_one_to_eight_seats CHECK (((seats >= 1) AND (seats <= 8))),
    CONSTRAINT status_is_known CHECK ((status = ANY (ARRAY['OPEN'::text, 'RUNNING'::text, 'OVER'::text, 'CANCELLED'::text]))),
    CONSTRAINT visibility_is_known CHECK ((visibility = ANY (ARRAY['PUBLIC'::text, 'PRIVATE'::text])))
)
WITH (fillfactor='60');
CREATE TABLE public.idempotency_keys (
    owner_id uuid NOT NULL,
    key text NOT NULL,
    hash bytea NOT NULL,
    object_id uuid,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.leases (
    task text NOT NULL,
    slice smallint NOT NULL,
    holder uuid NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE public.players (
    id uuid NOT NULL,
    app_id uuid NOT NULL,
    external_id text,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    is_bot boolean DEFAULT false NOT NULL
);
CREATE TABLE public.readiness (
    id smallint NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.seatings (
    game_id uuid NOT NULL,
    seat smallint NOT NULL,
    player_id uuid NOT NULL,
    is_over boolean DEFAULT false NOT NULL,
    kind text NOT NULL,
    is_public boolean NOT NULL,
    is_practice boolean NOT NULL,
    place smallint,
    result text,
    ended_at timestamp with time zone,
    with_bots boolean DEFAULT false NOT NULL,
    CONSTRAINT result_is_known CHECK ((result = ANY (ARRAY['WON'::text, 'SHARED'::text, 'DRAWN'::text, 'LOST'::text])))
);
CREATE TABLE public.stream_tickets (
    hash bytea NOT NULL,
    token_hash bytea NOT NULL,
    is_app boolean NOT NULL,
    act_as uuid,
    expires_at timestamp with time zone NOT NULL,
    stream text,
    openings integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.tokens (
    id uuid NOT NULL,
    player_id uuid NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    issued_by uuid
);
INSERT INTO public._sqlx_migrations VALUES (1, 'first', '2026-11-19 20:53:21.09965+00', true, '\xf73399c2779e7de0af8f4722f7cfc2018a23f7d98d82c4a5891d5d91ae8cf2c9db0c63cce88a03a72b1efb59d8528456', 14172578);
INSERT INTO public._sqlx_migrations VALUES (2, 'streams', '2026-11-19 20:53:21.114295+00', true, '\x872ed861ac90854bd2802e8ab47333f85768637b1b452eb82572febe44d98ec1245bc27ce30697584b7f9494686a3f12', 1139890);
INSERT INTO public._sqlx_migrations VALUES (3, 'records', '2026-11-19 20:53:21.115539+00', true, '\x09c3f1da7f7cf3ebe1ef254594de631ef8f59ec51cacc75d97e2605997eacc44d1b949fccb4ec8f78b08a012b1d6f29e', 629018);
INSERT INTO public._sqlx_migrations VALUES (4, 'questions', '2026-11-19 20:53:21.116267+00', true, '\xa9e161dafda2c232f563d423392ace5f745e5e04b0e0045abcc158de282873c6bb4ea0e6ea3e3b7bc8e12263295752d8', 11142569);
INSERT INTO public._sqlx_migrations VALUES (5, 'moves', '2026-11-19 20:53:21.131228+00', true, '\x7c737719c7782de30be9bb1aae23efd4d8fae46c96c8217dae0b747ed8ab93d8e885b4d9531a27add7ced39947b94099', 5956294);
INSERT INTO public._sqlx_migrations VALUES (6, 'keys', '2026-11-19 20:53:21.143541+00', true, '\x4ec8b2d2f8fcc7a2fc0ae2ffe9d24ea08b87b8154e9fa70752f142ad40d770a43a4315f16b1999df634772eb6a886513', 7374308);
INSERT INTO public._sqlx_migrations VALUES (7, 'apps', '2026-11-19 20:53:21.147127+00', true, '\x4c21c0654dfab74ffc7717feb2fffe629b01df2d8afaf249cc7ed59c7904d24563419b0cb2f25cf8d233a79875d7a893', 2264778);
INSERT INTO public._sqlx_migrations VALUES (8, 'resume', '2026-11-19 20:53:21.149495+00', true, '\xb999433a7758848d42b868343fd587f44ff4f4eff4a8c19307659702ed3823f6f1e5fa5fd73f2de5537d92146419ff63', 670460);
INSERT INTO public._sqlx_migrations VALUES (9, 'bots', '2026-11-19 20:53:21.150256+00', true, '\x419853d04b5eb0c3d231afc3f5b283ba7290f35e8267b12a104fdd8fe5ac3fbe45ad7f8b30172d95f68162057876e9a4', 9351157);
INSERT INTO public._sqlx_migrations VALUES (10, 'players_who_are_bots', '2026-11-19 20:53:21.159731+00', true, '\x768f4d9353f6ec53328250e464258c0d1cba0dd5c1104193be00644eefcc6f28de027567710c1a2e4cf5d6fabb76160b', 355690);
INSERT INTO public._sqlx_migrations VALUES (11, 'readiness', '2026-11-19 20:53:21.16015+00', true, '\x36d38592d16a52c184b5c9e1b08e51f5400777d7980c967ba41e7c4b17bea5baa1a9496a7874b1d3397ed666923cc634', 574827);
INSERT INTO public._sqlx_migrations VALUES (12, 'tags', '2026-11-19 20:53:21.160797+00', true, '\x3abf0cbc99da2b8d703928532d3a147f50bd52f3354f78197de3ef217f529997eb97609252f530a50347305bd1453aea', 793964);
INSERT INTO public._sqlx_migrations VALUES (13, 'issued_by', '2026-11-19 20:53:21.16171+00', true, '\xd743a0a9e7e9447629f8faacd721dbfaa2b26d57edb903143ce161f60608cdfa067509b59329c95747c52cfd0c452660', 279627);
INSERT INTO public.app_keys VALUES ('01a1f595-dba3-70e3-a601-5b13dbf6abd6', '01a1f595-dba0-730f-a829-2e9e9cdad556', 'first', '\x5982adbe96f3fa020cfd8513bcfeb61564107b1da9fc6ead0b98f33eab34d3a2', '2026-11-19 20:53:21.443674+00', NULL);
INSERT INTO public.apps VALUES ('01a1f595-da8b-75b1-9a73-855e197873ca', 'guests', NULL, '2026-11-19 20:53:21.163941+00', NULL);
INSERT INTO public.apps VALUES ('01a1f595-dba0-730f-a829-2e9e9cdad556', 'club', NULL, '2026-11-19 20:53:21.440227+00', NULL);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 1, 'OPENED', NULL, '01a1f595-dcc1-70cd-92ff-218b30e155da', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.748905+00', NULL, NULL, -1867170069044647029);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 2, 'JOINED', 0, '01a1f595-dcc1-70cd-92ff-218b30e155da', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.748905+00', NULL, NULL, -1867170069044647029);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 3, 'JOINED', 1, '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.776088+00', NULL, NULL, 9029105859831823702);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.776088+00', NULL, NULL, 9029105859831823702);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 5, 'MOVED', 0, '01a1f595-dcc1-70cd-92ff-218b30e155da', 1, '5', false, false, '[{"sowed": {"seat": 0, "seeds": 4, "pocket": 5}}]', NULL, NULL, '2026-11-19 20:53:21.800578+00', NULL, NULL, 8291018883407773133);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 6, 'MOVED', 1, '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', 2, '5', false, false, '[{"sowed": {"seat": 1, "seeds": 4, "pocket": 5}}]', NULL, NULL, '2026-11-19 20:53:21.847859+00', NULL, NULL, 7595231380475591331);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 7, 'MOVED', 0, '01a1f595-dcc1-70cd-92ff-218b30e155da', 3, '4', false, false, '[{"sowed": {"seat": 0, "seeds": 4, "pocket": 4}}]', NULL, NULL, '2026-11-19 20:53:21.87235+00', NULL, NULL, 5741562067161122603);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 8, 'MOVED', 1, '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', 4, '4', false, false, '[{"sowed": {"seat": 1, "seeds": 4, "pocket": 4}}]', NULL, NULL, '2026-11-19 20:53:21.88982+00', NULL, NULL, 3174513006131657660);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 9, 'MOVED', 0, '01a1f595-dcc1-70cd-92ff-218b30e155da', 5, '1', false, false, '[{"sowed": {"seat": 0, "seeds": 6, "pocket": 1}}]', NULL, NULL, '2026-11-19 20:53:21.907516+00', NULL, NULL, 5399512966399853397);
INSERT INTO public.entries VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 10, 'MOVED', 1, '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', 6, '0', false, false, '[{"sowed": {"seat": 1, "seeds": 7, "pocket": 0}}]', NULL, NULL, '2026-11-19 20:53:21.922651+00', NULL, NULL, 7195333409278073563);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 1, 'OPENED', NULL, '01a1f595-dd85-77cd-84f5-f5d93eea1659', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.936134+00', NULL, NULL, 8612285287421418626);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 2, 'JOINED', 0, '01a1f595-dd85-77cd-84f5-f5d93eea1659', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.936134+00', NULL, NULL, 8612285287421418626);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 3, 'JOINED', 1, '01a1f595-dd8a-74f3-907c-35fb74af36e3', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.940093+00', NULL, NULL, 8503593098842100866);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:21.940093+00', NULL, NULL, 8503593098842100866);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 5, 'MOVED', 0, '01a1f595-dd85-77cd-84f5-f5d93eea1659', 1, 'd3 CAVALRY1 l3.2', false, false, '[{"placed": {"die": 3, "face": "RAJA", "name": "KUNTIBHOJA", "seat": 0, "space": 2, "token": "CAVALRY1", "leader": 3}}]', NULL, NULL, '2026-11-19 20:53:21.958036+00', NULL, NULL, 8567356224562496129);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 6, 'MOVED', 1, '01a1f595-dd8a-74f3-907c-35fb74af36e3', 2, 'd0 l2.0', false, false, '[{"placed": {"die": 0, "face": "CHARIOT1", "name": "DRUPADA", "seat": 1, "space": 0, "token": "CHARIOT1", "leader": 2}}]', NULL, NULL, '2026-11-19 20:53:21.971518+00', NULL, NULL, 272662788132054118);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 7, 'MOVED', 1, '01a1f595-dd8a-74f3-907c-35fb74af36e3', 3, 'd7 l3.3', false, false, '[{"placed": {"die": 7, "face": "INFANTRY4", "name": "KUNTIBHOJA", "seat": 1, "space": 3, "token": "INFANTRY4", "leader": 3}}]', NULL, NULL, '2026-11-19 20:53:21.979923+00', NULL, NULL, -6399944891560714818);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 8, 'MOVED', 0, '01a1f595-dd85-77cd-84f5-f5d93eea1659', 4, 'd4 l2.2', false, false, '[{"placed": {"die": 4, "face": "CAVALRY1", "name": "DRUPADA", "seat": 0, "space": 2, "token": "CAVALRY1", "leader": 2}}, {"roundBegan": {"dice": ["CHARIOT1", "CHARIOT1", "ELEPHANT1", "ELEPHANT1", "CAVALRY1", "CAVALRY3", "INFANTRY1", "INFANTRY4"], "seat": 1, "round": 1}}]', NULL, NULL, '2026-11-19 20:53:21.992871+00', NULL, NULL, -4561450123434962769);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 9, 'MOVED', 1, '01a1f595-dd8a-74f3-907c-35fb74af36e3', 5, 'd1 screen', false, false, '[{"screened": {"die": 1, "seat": 1, "token": "CHARIOT1"}}]', NULL, NULL, '2026-11-19 20:53:22.000634+00', NULL, NULL, -6438108773487632962);
INSERT INTO public.entries VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 10, 'MOVED', 0, '01a1f595-dd85-77cd-84f5-f5d93eea1659', 6, 'd5 l2.2', false, false, '[{"placed": {"die": 5, "face": "CAVALRY3", "name": "DRUPADA", "seat": 0, "space": 2, "token": "CAVALRY3", "leader": 2}}]', NULL, NULL, '2026-11-19 20:53:22.011089+00', NULL, NULL, -3734320140424258914);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 1, 'OPENED', NULL, '01a1f595-dde1-714f-9afb-4d2db6b49d46', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.029749+00', NULL, NULL, 4735407353845429106);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 2, 'JOINED', 0, '01a1f595-dde1-714f-9afb-4d2db6b49d46', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.029749+00', NULL, NULL, 4735407353845429106);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 3, 'JOINED', 1, '01a1f595-dde7-749b-b04d-63d7f183b1e5', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.034769+00', NULL, NULL, 3289330962993728802);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 4, 'JOINED', 2, '01a1f595-dde9-7095-a405-0697af37f31a', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.041542+00', NULL, NULL, 3980013894100453779);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 5, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.041542+00', NULL, NULL, 3980013894100453779);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 6, 'MOVED', 2, '01a1f595-dde9-7095-a405-0697af37f31a', 1, 'play 14 RIGHT', false, true, '[{"chose": {"seat": 2}}]', NULL, NULL, '2026-11-19 20:53:22.050879+00', NULL, NULL, 1569076545855552920);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 7, 'MOVED', 1, '01a1f595-dde7-749b-b04d-63d7f183b1e5', 2, 'play 20 RIGHT', false, true, '[{"chose": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.061738+00', NULL, NULL, -5464265311623668535);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 8, 'MOVED', 0, '01a1f595-dde1-714f-9afb-4d2db6b49d46', 3, 'play 42 RIGHT', false, true, '[{"chose": {"seat": 0}}, {"placed": {"end": null, "card": 42, "seat": 0}}, {"placed": {"end": null, "card": 20, "seat": 1}}, {"placed": {"end": null, "card": 14, "seat": 2}}]', NULL, NULL, '2026-11-19 20:53:22.075297+00', NULL, NULL, 272639770596158148);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 9, 'MOVED', 1, '01a1f595-dde7-749b-b04d-63d7f183b1e5', 4, 'pass 15 23', false, true, '[{"chose": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.083804+00', NULL, NULL, -3995571936816426789);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 10, 'MOVED', 2, '01a1f595-dde9-7095-a405-0697af37f31a', 5, 'pass 41 31', false, true, '[{"chose": {"seat": 2}}]', NULL, NULL, '2026-11-19 20:53:22.104956+00', NULL, NULL, -2333194005729083575);
INSERT INTO public.entries VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 11, 'MOVED', 0, '01a1f595-dde1-714f-9afb-4d2db6b49d46', 6, 'pass 13 4', false, true, '[{"chose": {"seat": 0}}, {"passed": {"turn": 0}}, {"drew": {"turn": 0, "deckSize": 26}}]', NULL, NULL, '2026-11-19 20:53:22.124503+00', NULL, NULL, 1119196059511109628);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 1, 'OPENED', NULL, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.141717+00', NULL, NULL, -8755264635183171982);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 2, 'JOINED', 0, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.141717+00', NULL, NULL, -8755264635183171982);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 3, 'JOINED', 1, '01a1f595-de58-747d-9ce5-63158fda8c0c', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.151635+00', NULL, NULL, 2657328554475347576);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.151635+00', NULL, NULL, 2657328554475347576);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 5, 'MOVED', 0, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', 1, 'w1 QE KE KW QW', false, false, '[{"played": {"top": "QW", "seat": 0, "well": 1, "cards": ["QE", "KE", "KW", "QW"], "mirror": false, "covered": "QF", "collected": ["QE", "KE", "KW"]}}, {"drew": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.17815+00', NULL, NULL, -6203080239887125936);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 6, 'MOVED', 1, '01a1f595-de58-747d-9ce5-63158fda8c0c', 2, 'w0 AE', false, false, '[{"played": {"top": "AE", "seat": 1, "well": 0, "cards": ["AE"], "mirror": false, "covered": "AA", "collected": []}}, {"drew": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.199701+00', NULL, NULL, -5320101987105543846);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 7, 'MOVED', 0, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', 3, 'w4 8W 8E 9E', false, false, '[{"played": {"top": "9E", "seat": 0, "well": 4, "cards": ["8W", "8E", "9E"], "mirror": false, "covered": "9W", "collected": ["8W", "8E"]}}, {"drew": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.219063+00', NULL, NULL, -7918945404492555443);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 8, 'MOVED', 1, '01a1f595-de58-747d-9ce5-63158fda8c0c', 4, 'w3 JW', false, false, '[{"played": {"top": "JW", "seat": 1, "well": 3, "cards": ["JW"], "mirror": false, "covered": "JF", "collected": []}}, {"drew": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.240472+00', NULL, NULL, 2309226316505527552);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 9, 'MOVED', 0, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', 5, 'w0 AA', false, false, '[{"played": {"top": "AA", "seat": 0, "well": 0, "cards": ["AA"], "mirror": false, "covered": "AE", "collected": []}}, {"drew": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.248798+00', NULL, NULL, 8883395331610568000);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 1, 'OPENED', NULL, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.286278+00', NULL, NULL, -7135836720144963357);
INSERT INTO public.entries VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 10, 'MOVED', 1, '01a1f595-de58-747d-9ce5-63158fda8c0c', 6, 'w6 2W', false, false, '[{"played": {"top": "2W", "seat": 1, "well": 6, "cards": ["2W"], "mirror": false, "covered": "2F", "collected": []}}, {"drew": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.26231+00', NULL, NULL, -7175331621536889803);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 5, 'MOVED', 0, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', 1, 'place l77', false, false, '[{"placed": {"seat": 0, "lodge": 77}}]', NULL, NULL, '2026-11-19 20:53:22.300164+00', NULL, NULL, -94290895831647833);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 6, 'MOVED', 1, '01a1f595-deeb-76c8-81d0-896136ac3214', 2, 'place l75', false, false, '[{"placed": {"seat": 1, "lodge": 75}}]', NULL, NULL, '2026-11-19 20:53:22.323076+00', NULL, NULL, -7620627105733374145);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 7, 'MOVED', 1, '01a1f595-deeb-76c8-81d0-896136ac3214', 3, 'meet pick BUSH-PRIMATE WATERHOLE-PRIMATE', false, false, '[{"met": {"left": [], "seat": 1, "lodge": 75, "pickedUp": ["BUSH-PRIMATE", "WATERHOLE-PRIMATE"], "broughtHome": []}}, {"turnEnded": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.341059+00', NULL, NULL, 3952230216983026796);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 8, 'MOVED', 0, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', 4, 'meet pick BUSH-HERBIVORE WATERHOLE-HERBIVORE RIVER-HERBIVORE', false, false, '[{"met": {"left": [], "seat": 0, "lodge": 77, "pickedUp": ["BUSH-HERBIVORE", "WATERHOLE-HERBIVORE", "RIVER-HERBIVORE"], "broughtHome": []}}, {"turnEnded": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.359767+00', NULL, NULL, -5306798841899056893);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 9, 'MOVED', 1, '01a1f595-deeb-76c8-81d0-896136ac3214', 5, 'meet drop BUSH-PRIMATE WATERHOLE-PRIMATE pick GROVE-PRIMATE RIVER-PRIMATE', false, false, '[{"met": {"left": ["BUSH-PRIMATE", "WATERHOLE-PRIMATE"], "seat": 1, "lodge": 75, "pickedUp": ["GROVE-PRIMATE", "RIVER-PRIMATE"], "broughtHome": []}}, {"turnEnded": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.371727+00', NULL, NULL, 7352607558375037962);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 10, 'MOVED', 0, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', 6, 'meet drop BUSH-HERBIVORE pick GROVE-HERBIVORE', false, false, '[{"met": {"left": ["BUSH-HERBIVORE"], "seat": 0, "lodge": 77, "pickedUp": ["GROVE-HERBIVORE"], "broughtHome": []}}, {"turnEnded": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.382712+00', NULL, NULL, -5881762013253479413);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 5, 'MOVED', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', 1, '2', false, false, '[{"sowed": {"seat": 0, "seeds": 1, "pocket": 2}}, {"movesAgain": {"seat": 0}}]', NULL, NULL, '2026-11-19 20:53:22.406372+00', NULL, NULL, -1526680809799666445);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 6, 'MOVED', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', 2, '1', false, false, '[{"sowed": {"seat": 0, "seeds": 1, "pocket": 1}}, {"captured": {"seat": 0, "seeds": 2, "pocket": 2}}]', NULL, NULL, '2026-11-19 20:53:22.417341+00', NULL, NULL, 679938038963440978);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 7, 'MOVED', 1, '01a1f595-df55-75da-8957-2d99a18d64e9', 3, '2', false, false, '[{"sowed": {"seat": 1, "seeds": 1, "pocket": 2}}, {"movesAgain": {"seat": 1}}]', NULL, NULL, '2026-11-19 20:53:22.421342+00', NULL, NULL, 5506741362150716266);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 8, 'MOVED', 1, '01a1f595-df55-75da-8957-2d99a18d64e9', 4, '1', false, false, '[{"sowed": {"seat": 1, "seeds": 1, "pocket": 1}}, {"captured": {"seat": 1, "seeds": 2, "pocket": 2}}, {"ended": {"stores": [3, 3]}}]', NULL, NULL, '2026-11-19 20:53:22.424132+00', NULL, NULL, 6395861330042568720);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 2, 'JOINED', 0, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.286278+00', NULL, NULL, -7135836720144963357);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 3, 'JOINED', 1, '01a1f595-deeb-76c8-81d0-896136ac3214', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.291629+00', NULL, NULL, -3381319897855397327);
INSERT INTO public.entries VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.291629+00', NULL, NULL, -3381319897855397327);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 1, 'OPENED', NULL, '01a1f595-df52-72cc-914c-b1d70e1c9989', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.394875+00', NULL, NULL, -5385379676138488919);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 2, 'JOINED', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.394875+00', NULL, NULL, -5385379676138488919);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 3, 'JOINED', 1, '01a1f595-df55-75da-8957-2d99a18d64e9', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.40152+00', NULL, NULL, 3437469457184520731);
INSERT INTO public.entries VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.40152+00', NULL, NULL, 3437469457184520731);
INSERT INTO public.entries VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', 1, 'OPENED', NULL, '01a1f595-df52-72cc-914c-b1d70e1c9989', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.4404+00', NULL, NULL, -3003419392866456642);
INSERT INTO public.entries VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', 2, 'JOINED', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.4404+00', NULL, NULL, -3003419392866456642);
INSERT INTO public.entries VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', 3, 'JOINED', 1, '01a1f595-df52-72cc-914c-b1d70e1c9989', 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.4404+00', 1, 2, -3003419392866456642);
INSERT INTO public.entries VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', 4, 'STARTED', NULL, NULL, 0, NULL, false, false, '[]', NULL, NULL, '2026-11-19 20:53:22.4404+00', NULL, NULL, -3003419392866456642);
INSERT INTO public.games VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', '01a1f595-da8b-75b1-9a73-855e197873ca', 'MAHABHARATA', 2, '{"firstSeat": null, "askEveryone": false}', 2, 'PUBLIC', 'RUNNING', 10, 6, '\x2567ed4846f9977fb26b21592e82b5b08e56ad5e371badde0311d2b54a8909fd', NULL, '01a1f595-dd85-77cd-84f5-f5d93eea1659', '01a1f595-dd85-77cd-84f5-f5d93eea1659', '[{"player": "01a1f595-dd85-77cd-84f5-f5d93eea1659"}, {"player": "01a1f595-dd8a-74f3-907c-35fb74af36e3"}]', NULL, 1, '[10, null]', NULL, '2026-11-19 20:53:21.936134+00', '2026-11-26 20:53:21.936134+00', '2026-11-19 20:53:21.940093+00', NULL, NULL, NULL, '\x02020004080600000000000000000000000000000000000000000000000001000000000000000000000001000000000000000000000002000000000000000000000003000000000000000000000003040000000000000000000000000000000000000000000000000200000000000000000000000300000000000000000000000204000101010000000000000000000100000000000000000000000201000000010001000000000003000000000000000000000004040100000000000000000000000100000000000000000000000201000000010000000000000003010100000000000000000100010902030301030203030303030000000000000000000001030303030303030203010000000000000000000101010843484152494f5431000109454c455048414e54310109454c455048414e54310108434156414c525931000109494e46414e545259310109494e46414e545259340200020600b2dacde37bb9ed1e', 2, 0, 0, -3734320140424258914, '2026-11-19 20:53:22.011089+00');
INSERT INTO public.games VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', '01a1f595-da8b-75b1-9a73-855e197873ca', 'KALAH', 1, '{"pockets": 6, "firstSeat": null, "leftovers": "STAY", "emptyCapture": false, "seedsPerPocket": 4}', 2, 'PUBLIC', 'RUNNING', 10, 6, '\x4607a75928717fb1aaf2e6f36d24a8b6e0fd784c5de37570da8a2086a0027dbd', NULL, '01a1f595-dcc1-70cd-92ff-218b30e155da', '01a1f595-dcc1-70cd-92ff-218b30e155da', '[{"player": "01a1f595-dcc1-70cd-92ff-218b30e155da"}, {"player": "01a1f595-dcc4-72b8-b01b-8cf21cdfa95c"}]', NULL, 1, '[10, null]', NULL, '2026-11-19 20:53:21.748905+00', '2026-11-26 20:53:21.748905+00', '2026-11-19 20:53:21.776088+00', NULL, NULL, NULL, '\x010600000700060501020300070605010203000000000000000000000000000002060040c4c15cd474b713', 2, 0, 0, 7195333409278073563, '2026-11-19 20:53:21.922651+00');
INSERT INTO public.games VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', '01a1f595-da8b-75b1-9a73-855e197873ca', 'MAHOLA', 2, '{"lastPass": true, "roundsToWin": 3}', 3, 'PUBLIC', 'RUNNING', 11, 6, '\xbd959daeeb783e85b09b904be73f77a7d6d5df5d9cb3272aa3455580fb75fffe', NULL, '01a1f595-dde1-714f-9afb-4d2db6b49d46', '01a1f595-dde1-714f-9afb-4d2db6b49d46', '[{"player": "01a1f595-dde1-714f-9afb-4d2db6b49d46"}, {"player": "01a1f595-dde7-749b-b04d-63d7f183b1e5"}, {"player": "01a1f595-dde9-7095-a405-0697af37f31a"}]', NULL, 7, '[11, 11, 11]', NULL, '2026-11-19 20:53:22.029749+00', '2026-11-26 20:53:22.029749+00', '2026-11-19 20:53:22.041542+00', NULL, NULL, NULL, '\x0202010303000000000100030102000305172021292c050c0d1d1f260503040f132803012a0114010e030000001a101b0a1e12011c252216092423021905271115072b08181a0b0601032a140e01030d042c0f170c291f030000030600d96b1ba99e70aac4', 2, 0, 0, 1119196059511109628, '2026-11-19 20:53:22.124503+00');
INSERT INTO public.games VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', '01a1f595-da8b-75b1-9a73-855e197873ca', 'MACARENA', 2, '{"maxHands": 50, "firstSeat": null, "mirrorTurnDraws": false, "firstHandReturns": false}', 2, 'PUBLIC', 'RUNNING', 10, 6, '\x56364854cfeecf67463ccae61eabaf1328d4d34eaaa144981488ac2e6d46d2dc', NULL, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', '01a1f595-de55-748b-ad1d-11fb7a1ce42b', '[{"player": "01a1f595-de55-748b-ad1d-11fb7a1ce42b"}, {"player": "01a1f595-de58-747d-9ce5-63158fda8c0c"}]', NULL, 1, '[10, null]', NULL, '2026-11-19 20:53:22.141717+00', '2026-11-26 20:53:22.141717+00', '2026-11-19 20:53:22.151635+00', NULL, NULL, NULL, '\x02020000320000000000020a023545023641033130410233570234570251570236460237460239460251460e023345023545023341023341023441023541025141024b4102355702355702375702344602354602384601033130410205023845025145024b45023857024b5700020000000000000000000000000000024141020241450241410251570102514602384500024a5701024a46023945010239570331305700023257010232463e024b460236450241460236570233460238460331304502324102324503313046024b57023745024a4102334602344503313045023645023745023441025141023245024157023741024a45023246025145024a41023257024a45024157023746024146023946023646023357023757024b41023741023445023457023657023546023241033130460238410239410238410241450331304102334503313057024a57023957023945023941023446024b45024a46023857023541023641024b4602010200000100000000020600ea93e5116daf8cfe', 2, 0, 0, -7175331621536889803, '2026-11-19 20:53:22.26231+00');
INSERT INTO public.games VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', '01a1f595-da8b-75b1-9a73-855e197873ca', 'MARA', 2, '{"variant": "STANDARD", "notepads": false, "firstSeat": null, "quietTurnsPerSeat": 50}', 2, 'PUBLIC', 'RUNNING', 10, 6, '\x569a2dd05d9d06c7d93a0c46318163cf57abd7b0c8e67444af4e4de66bddb9d9', NULL, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', '01a1f595-dedf-72b4-874d-d8b0a2b2d108', '[{"player": "01a1f595-dedf-72b4-874d-d8b0a2b2d108"}, {"player": "01a1f595-deeb-76c8-81d0-896136ac3214"}]', NULL, 2, '[null, 10]', NULL, '2026-11-19 20:53:22.286278+00', '2026-11-26 20:53:22.286278+00', '2026-11-19 20:53:22.291629+00', NULL, NULL, NULL, '\x0202320000030500000103000003030000030400000205000004050000020300000300000002010000000000000104000004000000000400000302000001020000020400000301000001000000000100000402000004010000000200000105000002000000010100000003000000050000040400000403000002020000050c47524f56452d494e534543540b425553482d494e534543540f534156414e4e41482d494e53454354105741544552484f4c452d494e534543540c52495645522d494e53454354050f47524f56452d414d5048494249414e0e425553482d414d5048494249414e12534156414e4e41482d414d5048494249414e135741544552484f4c452d414d5048494249414e0f52495645522d414d5048494249414e050f47524f56452d4341524e49564f52450e425553482d4341524e49564f524512534156414e4e41482d4341524e49564f5245135741544552484f4c452d4341524e49564f52450f52495645522d4341524e49564f5245030c425553482d5052494d41544510534156414e4e41482d5052494d415445115741544552484f4c452d5052494d415445050a47524f56452d4249524409425553482d424952440d534156414e4e41482d424952440e5741544552484f4c452d424952440a52495645522d42495244020e425553482d4845524249564f524512534156414e4e41482d4845524249564f524502014d00030f47524f56452d4845524249564f5245135741544552484f4c452d4845524249564f52450f52495645522d4845524249564f524500014b00020d47524f56452d5052494d4154450d52495645522d5052494d41544500000001000000000400020600ad5e50d9cc776126', 2, 0, 0, -5881762013253479413, '2026-11-19 20:53:22.382712+00');
INSERT INTO public.games VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', '01a1f595-da8b-75b1-9a73-855e197873ca', 'KALAH', 1, '{"pockets": 3, "firstSeat": 0, "leftovers": "STAY", "emptyCapture": false, "seedsPerPocket": 1}', 2, 'PUBLIC', 'OVER', 8, 4, '\x4f487228015f9ee3b01c89e4abcedb521bfc4fafb41d927c9d85735cdca720a4', NULL, '01a1f595-df52-72cc-914c-b1d70e1c9989', '01a1f595-df52-72cc-914c-b1d70e1c9989', '[{"player": "01a1f595-df52-72cc-914c-b1d70e1c9989"}, {"player": "01a1f595-df55-75da-8957-2d99a18d64e9"}]', NULL, 0, '[null, null]', '{"ending": "kalah.7", "places": [1, 1], "details": {"stores": [3, 3]}, "winners": []}', '2026-11-19 20:53:22.394875+00', '2026-11-26 20:53:22.394875+00', '2026-11-19 20:53:22.40152+00', '2026-11-19 20:53:22.424132+00', NULL, NULL, '\x010300000000000300000003000000000000000000000000000000000000000102040095391163b6226d90', 2, 0, 0, 6395861330042568720, '2026-11-19 20:53:22.424132+00');
INSERT INTO public.games VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', '01a1f595-da8b-75b1-9a73-855e197873ca', 'KALAH', 1, '{"pockets": 6, "firstSeat": null, "leftovers": "STAY", "emptyCapture": false, "seedsPerPocket": 4}', 2, 'PUBLIC', 'RUNNING', 4, 0, '\x8e273d9129a3174e077c8f12f66b97fc380684e97836207cf8a60745b0fe0117', NULL, '01a1f595-df52-72cc-914c-b1d70e1c9989', '01a1f595-df52-72cc-914c-b1d70e1c9989', '[{"player": "01a1f595-df52-72cc-914c-b1d70e1c9989"}, {"bot": 1}]', NULL, 1, '[4, null]', NULL, '2026-11-19 20:53:22.4404+00', '2026-11-26 20:53:22.4404+00', '2026-11-19 20:53:22.4404+00', NULL, NULL, NULL, '\x0106000004040404040400040404040404000000000000000000000000000000020000dfc454e18329169b', 2, 0, 2, -3003419392866456642, '2026-11-19 20:53:22.4404+00');
INSERT INTO public.leases VALUES ('bots', 0, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 1, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 2, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 3, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 4, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 5, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 6, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 7, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 8, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 9, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 10, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 11, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 12, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 13, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 14, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.leases VALUES ('bots', 15, 'd1ff9a59-419c-431f-b7c1-f1f60f7c9928', '2026-11-19 20:53:27.315225+00');
INSERT INTO public.players VALUES ('01a1f595-dcbc-7651-8599-67391e859d58', '01a1f595-dba0-730f-a829-2e9e9cdad556', 'user-1', 'Chitra', '2026-11-19 20:53:21.724703+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dcc1-70cd-92ff-218b30e155da', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 0', '2026-11-19 20:53:21.729684+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 1', '2026-11-19 20:53:21.732198+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dd85-77cd-84f5-f5d93eea1659', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 0', '2026-11-19 20:53:21.925741+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dd8a-74f3-907c-35fb74af36e3', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 1', '2026-11-19 20:53:21.930548+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dde1-714f-9afb-4d2db6b49d46', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 0', '2026-11-19 20:53:22.017085+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dde7-749b-b04d-63d7f183b1e5', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 1', '2026-11-19 20:53:22.023584+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dde9-7095-a405-0697af37f31a', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 2', '2026-11-19 20:53:22.025417+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-de55-748b-ad1d-11fb7a1ce42b', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 0', '2026-11-19 20:53:22.133381+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-de58-747d-9ce5-63158fda8c0c', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 1', '2026-11-19 20:53:22.136906+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-dedf-72b4-874d-d8b0a2b2d108', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 0', '2026-11-19 20:53:22.271816+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-deeb-76c8-81d0-896136ac3214', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Player 1', '2026-11-19 20:53:22.283552+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-df52-72cc-914c-b1d70e1c9989', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Asha', '2026-11-19 20:53:22.386156+00', NULL, false);
INSERT INTO public.players VALUES ('01a1f595-df55-75da-8957-2d99a18d64e9', '01a1f595-da8b-75b1-9a73-855e197873ca', NULL, 'Ben', '2026-11-19 20:53:22.390002+00', NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 0, '01a1f595-dcc1-70cd-92ff-218b30e155da', false, 'KALAH', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dcd4-765e-be55-9fbc3c655f95', 1, '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', false, 'KALAH', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 0, '01a1f595-dd85-77cd-84f5-f5d93eea1659', false, 'MAHABHARATA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dd90-7239-86e8-3bb266b8b356', 1, '01a1f595-dd8a-74f3-907c-35fb74af36e3', false, 'MAHABHARATA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 0, '01a1f595-dde1-714f-9afb-4d2db6b49d46', false, 'MAHOLA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 1, '01a1f595-dde7-749b-b04d-63d7f183b1e5', false, 'MAHOLA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-dded-735a-bc0a-a22909aea511', 2, '01a1f595-dde9-7095-a405-0697af37f31a', false, 'MAHOLA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 0, '01a1f595-de55-748b-ad1d-11fb7a1ce42b', false, 'MACARENA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-de5d-75ef-ba54-b98e3ade2b7e', 1, '01a1f595-de58-747d-9ce5-63158fda8c0c', false, 'MACARENA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 0, '01a1f595-dedf-72b4-874d-d8b0a2b2d108', false, 'MARA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-deee-728f-9ecc-cf2c9052bb56', 1, '01a1f595-deeb-76c8-81d0-896136ac3214', false, 'MARA', true, false, NULL, NULL, NULL, false);
INSERT INTO public.seatings VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', true, 'KALAH', true, false, 1, 'DRAWN', '2026-11-19 20:53:22.424132+00', false);
INSERT INTO public.seatings VALUES ('01a1f595-df5a-71e6-900f-3209f48783c7', 1, '01a1f595-df55-75da-8957-2d99a18d64e9', true, 'KALAH', true, false, 1, 'DRAWN', '2026-11-19 20:53:22.424132+00', false);
INSERT INTO public.seatings VALUES ('01a1f595-df88-7656-a961-c69a82883a1b', 0, '01a1f595-df52-72cc-914c-b1d70e1c9989', false, 'KALAH', true, false, NULL, NULL, NULL, true);
INSERT INTO public.tokens VALUES ('01a1f595-dcc2-71b3-936b-4cea25d0ede3', '01a1f595-dcc1-70cd-92ff-218b30e155da', '\xb9bebd4be144b05479220acdff53ca2c60cff7036dc5a7a4f6f8149610a62f63', '2026-11-19 20:53:21.730229+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dcc4-72b8-b01b-8cf374fe29cb', '01a1f595-dcc4-72b8-b01b-8cf21cdfa95c', '\x10cb435cef37ddd5d519db0d10dffb85a652c7717fb31cab777a14902412596f', '2026-11-19 20:53:21.732654+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dd86-75f7-aafa-1a8d9e77ffcb', '01a1f595-dd85-77cd-84f5-f5d93eea1659', '\xdde7fe09543c0382f8e451a6ac6f9fb7d979e477663ade4b2a0c034b92e29161', '2026-11-19 20:53:21.926488+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dd8a-74f3-907c-35fc2c3ed843', '01a1f595-dd8a-74f3-907c-35fb74af36e3', '\x999fa40a99be81ab4a0914aa2bb0fa14773d9eacea1e2ba5e2926d01a7ba19e1', '2026-11-19 20:53:21.930935+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dde1-714f-9afb-4d2efabbf2ae', '01a1f595-dde1-714f-9afb-4d2db6b49d46', '\x632dead98e9656fb6463884e99086aa90c7d4bfddb9013ec61743ce711e531ac', '2026-11-19 20:53:22.01778+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dde8-7479-a8d0-370ee3b4fd6f', '01a1f595-dde7-749b-b04d-63d7f183b1e5', '\x0353c77a1036cc481eb4e031be58d2a112672d082ee7dc248644daf902e9136f', '2026-11-19 20:53:22.024075+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-ddeb-717f-9c4e-0ccd79404a57', '01a1f595-dde9-7095-a405-0697af37f31a', '\x339f8481dda44bbc6e786f473c1636e61037e6b499aa9bae20e55f0259d36408', '2026-11-19 20:53:22.027549+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-de57-73bb-8042-74bad2c09284', '01a1f595-de55-748b-ad1d-11fb7a1ce42b', '\x71e6b83d6c66446cc2814784dd4e2c1cf64d72643be7f27ae10508e27ed1a552', '2026-11-19 20:53:22.135556+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-de5b-7143-9c98-2276b3b4b2b1', '01a1f595-de58-747d-9ce5-63158fda8c0c', '\x3e5a8cd9c69f1821b743f03397f21884c4b9481ba0ac60a0bbd305aec000615d', '2026-11-19 20:53:22.139523+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-dee3-744d-94db-f41721374d32', '01a1f595-dedf-72b4-874d-d8b0a2b2d108', '\xce1ca3305e93cc26b73d7e883d8eaccc4df3ff21af323080bb391cec11f4ab3b', '2026-11-19 20:53:22.275677+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-deec-70b9-a724-0047697ffd65', '01a1f595-deeb-76c8-81d0-896136ac3214', '\x8309f79cf9c98b8599d26578b7dcf78e76777a6bdcbe938c8ff8d863dd45069a', '2026-11-19 20:53:22.284042+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-df53-7633-a4f5-929edb7ea483', '01a1f595-df52-72cc-914c-b1d70e1c9989', '\x9ba821b597d77da1fee997d144c86d862c6418c9159f3868da860a967df03ea2', '2026-11-19 20:53:22.387837+00', NULL, NULL, NULL);
INSERT INTO public.tokens VALUES ('01a1f595-df56-716d-9702-61c14bbec515', '01a1f595-df55-75da-8957-2d99a18d64e9', '\xc0a30abfe12ae90a8de102586b5f09b46f3d189633681ea4ad901ec1702064ee', '2026-11-19 20:53:22.39071+00', NULL, NULL, NULL);
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT app_keys_are_unique UNIQUE (key_hash);
ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT app_names_are_unique UNIQUE (name);
ALTER TABLE ONLY public.apps
    ADD CONSTRAINT apps_pkey PRIMARY KEY (id);
ALTER TABLE public.entries
    ADD CONSTRAINT entry_is_known CHECK ((what = ANY (ARRAY['OPENED'::text, 'JOINED'::text, 'LEFT'::text, 'STARTED'::text, 'MOVED'::text, 'RESIGNED'::text, 'CANCELLED'::text, 'EXPIRED'::text, 'SEEDED'::text]))) NOT VALID;
ALTER TABLE ONLY public.game_metadata
    ADD CONSTRAINT game_metadata_pkey PRIMARY KEY (game_id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT join_codes_are_unique UNIQUE (join_code);
ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT one_app_per_key UNIQUE (hash);
ALTER TABLE ONLY public.game_metadata
    ADD CONSTRAINT one_game_per_external_id UNIQUE (app_id, external_id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT one_holder_per_slice PRIMARY KEY (task, slice);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT one_object_per_idempotency_key PRIMARY KEY (owner_id, key);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT one_player_per_external_id UNIQUE (app_id, external_id);
ALTER TABLE ONLY public.seatings
    ADD CONSTRAINT one_player_per_seat PRIMARY KEY (game_id, seat);
ALTER TABLE ONLY public.seatings
    ADD CONSTRAINT one_seat_per_player UNIQUE (game_id, player_id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.readiness
    ADD CONSTRAINT readiness_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.stream_tickets
    ADD CONSTRAINT stream_tickets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_are_unique UNIQUE (hash);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT versions_are_unique PRIMARY KEY (game_id, version);
CREATE INDEX answers_about_a_player ON public.seatings USING btree (player_id, game_id DESC) INCLUDE (kind, is_public, is_practice, with_bots, is_over, place, result, ended_at);
CREATE INDEX games_of_a_player ON public.seatings USING btree (player_id, is_over, game_id DESC);
CREATE INDEX games_of_an_app ON public.games USING btree (app_id, id DESC);
CREATE INDEX games_of_an_app_by_end ON public.games USING btree (app_id, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX games_of_an_app_by_kind ON public.games USING btree (app_id, kind, id DESC);
CREATE INDEX games_of_an_app_by_kind_and_status ON public.games USING btree (app_id, kind, status, id DESC);
CREATE INDEX games_of_an_app_by_status ON public.games USING btree (app_id, status, id DESC);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX one_active_key_per_name ON public.app_keys USING btree (app_id, name) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX one_change_per_idempotency_key ON public.entries USING btree (game_id, player_id, key) WHERE (key IS NOT NULL);
CREATE UNIQUE INDEX one_rematch_per_game ON public.games USING btree (rematch_of) WHERE ((rematch_of IS NOT NULL) AND (status <> 'CANCELLED'::text));
CREATE INDEX open_games_by_expiry ON public.games USING btree (expires_at) WHERE (status = 'OPEN'::text);
CREATE INDEX players_of_an_app ON public.players USING btree (app_id, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX players_who_are_gone ON public.players USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX public_games_of_an_app ON public.games USING btree (app_id, id DESC, kind, status) WHERE (visibility = 'PUBLIC'::text);
CREATE INDEX running_games_with_bots ON public.games USING btree (id) WHERE ((status = 'RUNNING'::text) AND (bot_seats <> 0));
CREATE INDEX stream_tickets_by_expiry ON public.stream_tickets USING btree (expires_at);
CREATE INDEX tokens_of_a_player ON public.tokens USING btree (player_id);
ALTER TABLE ONLY public.app_keys
    ADD CONSTRAINT app_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_app_id_fkey FOREIGN KEY (app_id) REFERENCES public.apps(id);
ALTER TABLE ONLY public.seatings
    ADD CONSTRAINT seatings_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);
