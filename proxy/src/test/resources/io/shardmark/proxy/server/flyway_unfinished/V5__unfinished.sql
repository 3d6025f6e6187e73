create unique index concurrently person_once on person (mood);
