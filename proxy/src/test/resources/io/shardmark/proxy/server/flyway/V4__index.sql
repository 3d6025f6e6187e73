create index concurrently if not exists person_mood on person (mood);
