import { type mongo } from 'mongoose';

/** What a migration works with. */
export interface MigrationContext {
  readonly database: mongo.Db;
  /** Aborted when another process has taken over the lock. Checked between batches. */
  readonly signal: AbortSignal;
  /** Gets one line about what was done. */
  readonly report: (line: string) => void;
}

/**
 * One change of what is stored. Processes of the release before serve requests while it runs, it can be killed at any moment, and
 * it can run again. It names collections and fields itself, because the schemas of the code go on to change.
 * docs/adding-a-feature.md says how to write one.
 */
export interface Migration {
  /** Its number: one more than that of the migration before. */
  readonly id: number;
  readonly name: string;
  /** After `expand`, the release before still works with the database. After `contract` it does not. */
  readonly phase: 'expand' | 'contract';
  readonly run: (context: MigrationContext) => Promise<void>;
}

/** The collection of the records of migrations. */
export const APPLIED_MIGRATIONS = 'migrations';

/** The record of a migration that is complete. */
export interface AppliedMigration {
  readonly _id: number;
  readonly name: string;
  readonly phase: Migration['phase'];
  readonly appliedAt: Date;
}
