-- CreateTable
CREATE TABLE "wallet" (
    "name" TEXT NOT NULL,
    "is_miner" BOOLEAN NOT NULL,
    "address_count" INTEGER NOT NULL,
    "active_index" INTEGER NOT NULL,
    "secret" BYTEA NOT NULL,
    "password_failures" INTEGER NOT NULL DEFAULT 0,
    "blocked_until" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "wallet_pkey" PRIMARY KEY ("name")
);
