CREATE TABLE "Author" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "made" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Author_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "Author_email_key" ON "Author"("email");

CREATE TABLE "Essay" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "title" TEXT NOT NULL,
    "authorId" INTEGER NOT NULL,

    CONSTRAINT "Essay_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Essay_authorId_idx" ON "Essay"("authorId");

ALTER TABLE "Essay" ADD CONSTRAINT "Essay_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "Author"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "Author" ("email") VALUES ('a@example.org'), ('b@example.org');
INSERT INTO "Essay" ("title", "authorId") SELECT 'On ' || "email", "id" FROM "Author";
