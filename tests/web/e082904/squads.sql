BEGIN TRANSACTION;
CREATE TABLE "django_migrations" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "app" varchar(255) NOT NULL, "name" varchar(255) NOT NULL, "applied" datetime NOT NULL);
INSERT INTO "django_migrations" VALUES(1,'squadpress','0001_squads','2026-11-28 02:00:35.529793');
INSERT INTO "django_migrations" VALUES(2,'squadpress','0002_links_seals_and_prints','2026-11-28 02:00:35.735851');
INSERT INTO "django_migrations" VALUES(3,'squadpress','0003_games','2026-11-28 02:00:35.797625');
INSERT INTO "django_migrations" VALUES(4,'squadpress','0004_handovers','2026-11-28 02:00:35.863004');
INSERT INTO "django_migrations" VALUES(5,'squadpress','0005_collections','2026-11-28 02:00:36.064341');
INSERT INTO "django_migrations" VALUES(6,'squadpress','0006_releases','2026-11-28 02:00:36.150890');
INSERT INTO "django_migrations" VALUES(7,'squadpress','0007_events','2026-11-28 02:00:36.373982');
INSERT INTO "django_migrations" VALUES(8,'squadpress','0008_accounts','2026-11-28 02:00:36.389430');
INSERT INTO "django_migrations" VALUES(9,'squadpress','0009_play_formats','2026-11-28 02:00:36.522968');
INSERT INTO "django_migrations" VALUES(10,'squadpress','0010_play_format_steps','2026-11-28 02:00:36.575534');
INSERT INTO "django_migrations" VALUES(11,'squadpress','0011_play_formats_in_texts','2026-11-28 02:00:36.709060');
INSERT INTO "django_migrations" VALUES(12,'squadpress','0012_no_column_for_play_formats','2026-11-28 02:00:36.817560');
CREATE TABLE "squadpress_account" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "owner" varchar(64) NOT NULL UNIQUE, "name" varchar(40) NOT NULL, "key" varchar(80) NOT NULL UNIQUE, "password" varchar(200) NOT NULL, "salt" varchar(32) NOT NULL, "sealed" varchar(128) NOT NULL, "made" datetime NOT NULL);
INSERT INTO "squadpress_account" VALUES(1,'4327e936b602933575d362ce1ffc5e78cf3fae22c7b76d1db1a4950940a581ec','Ada','ada','argon2$argon2id$v=19$m=19456,t=2,p=1$Skp1c2lvU2NHV1ROYm1CVmYzUnpJVw$6ygfZSmiKIdGWR0RtCSsRW7WoWTCkNn3tWRlfGxsCLA','2ca49c3baaee2a4811664cc88832ae1b','e72c5d92ad82ee8dd4a8e7b5d7fc79b46194e51c4f8a48175d6357e97d394a41','2026-11-28 02:00:50.224877');
CREATE TABLE "squadpress_event" ("id" char(32) NOT NULL PRIMARY KEY, "owner" varchar(64) NOT NULL, "code" char(32) NOT NULL UNIQUE, "name" varchar(200) NOT NULL, "notes" text NOT NULL, "pack" varchar(100) NOT NULL, "release" varchar(40) NOT NULL, "params" text NOT NULL CHECK ((JSON_VALID("params") OR "params" IS NULL)), "zone" varchar(64) NOT NULL, "deadline" datetime NOT NULL, "sealed" bool NOT NULL, "reveals" datetime NULL, "locked" datetime NULL, "revealed" datetime NULL, "created" datetime NOT NULL, "played" varchar(100) NOT NULL, "day" date NULL);
INSERT INTO "squadpress_event" VALUES('cc4bff9d738d42c6a6493bd909033c2a','4327e936b602933575d362ce1ffc5e78cf3fae22c7b76d1db1a4950940a581ec','01955807661544b3aa02ea3ba3c225b4','Open','','hydrophilia','2.0.0','{}','UTC','2099-01-01 10:00:00',1,NULL,NULL,NULL,'2026-11-28 02:00:50.733234','',NULL);
CREATE TABLE "squadpress_eventlist" ("id" char(32) NOT NULL PRIMARY KEY, "owner" varchar(64) NOT NULL, "player" varchar(80) NOT NULL, "text" text NOT NULL, "verdict" text NOT NULL CHECK ((JSON_VALID("verdict") OR "verdict" IS NULL)), "handed" datetime NOT NULL, "event_id" char(32) NOT NULL REFERENCES "squadpress_event" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "list_of_event" UNIQUE ("event_id", "owner"));
INSERT INTO "squadpress_eventlist" VALUES('b79bf7c8dd1c4eb2ae2505d1fffea049','d9c3d53ce5a56dce2226837f54c0fab3d83449f48b7f0f8019422424afb14d73','Ann','pack: hydrophilia
version: "2.0.0"
name: Night Watch
size: 30
mode: competitive
entries:
  - {card: captain-davis}
','{"squad": "Night Watch", "legal": true, "spent": 7, "allowed": 30, "broken": [], "digest": "65dc1743c6f1d30825bdf38c6fadf0b006bbe0b3b69bb39d3d767aef60c2f978", "data": "727307cb84c4dec51005281152d1946b75a7bc9001951ae1705155ffea4c353e", "adapted": []}','2026-11-28 02:00:50.929334','cc4bff9d738d42c6a6493bd909033c2a');
CREATE TABLE "squadpress_handover" ("key" varchar(64) NOT NULL PRIMARY KEY, "sealed" varchar(128) NOT NULL, "until" datetime NOT NULL);
CREATE TABLE "squadpress_printjob" ("id" char(32) NOT NULL PRIMARY KEY, "owner" varchar(64) NOT NULL, "text" text NOT NULL, "wish" text NOT NULL CHECK ((JSON_VALID("wish") OR "wish" IS NULL)), "state" varchar(8) NOT NULL, "done" integer unsigned NOT NULL CHECK ("done" >= 0), "total" integer unsigned NOT NULL CHECK ("total" >= 0), "pages" integer unsigned NOT NULL CHECK ("pages" >= 0), "told" text NOT NULL CHECK ((JSON_VALID("told") OR "told" IS NULL)), "tries" integer unsigned NOT NULL CHECK ("tries" >= 0), "made" datetime NOT NULL, "started" datetime NULL, "beat" datetime NULL, "squad_id" char(32) NULL REFERENCES "squadpress_savedsquad" ("id") DEFERRABLE INITIALLY DEFERRED, "event_id" char(32) NULL REFERENCES "squadpress_event" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "squadpress_savedcollection" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "owner" varchar(64) NOT NULL, "pack" varchar(100) NOT NULL, "owned" text NOT NULL CHECK ((JSON_VALID("owned") OR "owned" IS NULL)), "changed" datetime NOT NULL, CONSTRAINT "collection_of_owner" UNIQUE ("owner", "pack"));
INSERT INTO "squadpress_savedcollection" VALUES(1,'d9c3d53ce5a56dce2226837f54c0fab3d83449f48b7f0f8019422424afb14d73','hydrophilia','{"patrolman": {"count": 1, "painted": 0}}','2026-11-28 02:00:49.319142');
CREATE TABLE "squadpress_savedsquad" ("id" char(32) NOT NULL PRIMARY KEY, "owner" varchar(64) NOT NULL, "pack" varchar(100) NOT NULL, "release" varchar(40) NOT NULL, "text" text NOT NULL, "name" varchar(200) NOT NULL, "notes" text NOT NULL, "place" integer NOT NULL, "edition" integer unsigned NOT NULL CHECK ("edition" >= 0), "created" datetime NOT NULL, "changed" datetime NOT NULL, "opened" datetime NOT NULL, "leaves" datetime NULL, "based" varchar(40) NOT NULL, "stays" varchar(40) NOT NULL);
INSERT INTO "squadpress_savedsquad" VALUES('a62168c96f4446eea942abeef2bc8461','d9c3d53ce5a56dce2226837f54c0fab3d83449f48b7f0f8019422424afb14d73','hydrophilia','','pack: hydrophilia
name: Night Watch
size: 30
mode: competitive
entries:
  - {card: captain-davis}
','Night Watch','',0,2,'2026-11-28 02:00:47.256090','2026-11-28 02:00:47.528583','2026-11-28 02:00:47.528503',NULL,'3.0.0','');
INSERT INTO "squadpress_savedsquad" VALUES('b0f9154a766f4f948acde5a7f528cbb4','4327e936b602933575d362ce1ffc5e78cf3fae22c7b76d1db1a4950940a581ec','hydrophilia','','pack: hydrophilia
name: Day Watch
size: 30
mode: competitive
','Day Watch','',0,1,'2026-11-28 02:00:49.412492','2026-11-28 02:00:49.412521','2026-11-28 02:00:49.412529',NULL,'3.0.0','');
CREATE TABLE "squadpress_squadgame" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "state" text NOT NULL CHECK ((JSON_VALID("state") OR "state" IS NULL)), "edition" integer unsigned NOT NULL CHECK ("edition" >= 0), "changed" datetime NOT NULL, "squad_id" char(32) NOT NULL UNIQUE REFERENCES "squadpress_savedsquad" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "squadpress_squadguest" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "owner" varchar(64) NOT NULL, "link_id" bigint NOT NULL REFERENCES "squadpress_squadlink" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "guest_of_link" UNIQUE ("link_id", "owner"));
CREATE TABLE "squadpress_squadlink" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "kind" varchar(8) NOT NULL, "made" datetime NOT NULL, "squad_id" char(32) NOT NULL REFERENCES "squadpress_savedsquad" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "squad_link" UNIQUE ("squad_id", "kind"));
INSERT INTO "squadpress_squadlink" VALUES(1,'edit','2026-11-28 02:00:47.574701','a62168c96f4446eea942abeef2bc8461');
CREATE TABLE "squadpress_squadseal" ("id" char(32) NOT NULL PRIMARY KEY, "copy" text NOT NULL CHECK ((JSON_VALID("copy") OR "copy" IS NULL)), "key" text NOT NULL CHECK ((JSON_VALID("key") OR "key" IS NULL)), "opened" text NOT NULL CHECK ((JSON_VALID("opened") OR "opened" IS NULL)), "made" datetime NOT NULL, "squad_id" char(32) NOT NULL REFERENCES "squadpress_savedsquad" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE "squadpress_squadstep" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "number" integer unsigned NOT NULL CHECK ("number" >= 0), "before" text NOT NULL, "after" text NOT NULL, "what" text NOT NULL CHECK ((JSON_VALID("what") OR "what" IS NULL)), "undone" bool NOT NULL, "made" datetime NOT NULL, "squad_id" char(32) NOT NULL REFERENCES "squadpress_savedsquad" ("id") DEFERRABLE INITIALLY DEFERRED, CONSTRAINT "step_number" UNIQUE ("squad_id", "number"));
INSERT INTO "squadpress_squadstep" VALUES(1,1,'pack: hydrophilia
name: Night Watch
size: 30
mode: competitive
','pack: hydrophilia
name: Night Watch
size: 30
mode: competitive
entries:
  - {card: captain-davis}
','{"msgid": "added {card}", "plural": "", "context": "", "values": {"card": "Captain Davis"}}',0,'2026-11-28 02:00:47.528203','a62168c96f4446eea942abeef2bc8461');
CREATE TABLE "squadpress_tally" ("key" varchar(64) NOT NULL PRIMARY KEY, "count" integer unsigned NOT NULL CHECK ("count" >= 0), "until" datetime NOT NULL);
CREATE INDEX "squadpress_squadstep_squad_id_b9b60362" ON "squadpress_squadstep" ("squad_id");
CREATE INDEX "squadpress_tally_until_206a3bf9" ON "squadpress_tally" ("until");
CREATE INDEX "squadpress_squadseal_squad_id_ce845410" ON "squadpress_squadseal" ("squad_id");
CREATE INDEX "squadpress_squadlink_squad_id_123cf3a2" ON "squadpress_squadlink" ("squad_id");
CREATE INDEX "squadpress_squadguest_owner_1a5acdd7" ON "squadpress_squadguest" ("owner");
CREATE INDEX "squadpress_squadguest_link_id_14c964c9" ON "squadpress_squadguest" ("link_id");
CREATE INDEX "squadpress_handover_until_3c8ed8ab" ON "squadpress_handover" ("until");
CREATE INDEX "squadpress_printjob_state_318939e3" ON "squadpress_printjob" ("state");
CREATE INDEX "squadpress_printjob_squad_id_aa1764a2" ON "squadpress_printjob" ("squad_id");
CREATE INDEX "squadpress_printjob_event_id_23b0c15a" ON "squadpress_printjob" ("event_id");
CREATE INDEX "squadpress_eventlist_owner_c839409e" ON "squadpress_eventlist" ("owner");
CREATE INDEX "squadpress_eventlist_event_id_36398145" ON "squadpress_eventlist" ("event_id");
CREATE INDEX "squad_owner" ON "squadpress_savedsquad" ("owner", "place");
CREATE INDEX "squadpress_event_owner_44192bd2" ON "squadpress_event" ("owner");
COMMIT;
