import { ConfigurationError } from '../../config/environment.js';
import { type AppliedMigration, type Migration } from './migration.types.js';

/** The schema of a database, compared with that of the code. */
export interface SchemaState {
  /** What the code needs and the database does not have yet, in the order in which it runs. */
  readonly pending: readonly Migration[];
  /** What a newer version has done. */
  readonly unknown: readonly AppliedMigration[];
}

export const HOW_TO_MIGRATE =
  '`npm run shop -- migrate` (with Docker: `docker compose run --rm service node dist/app/cli.js migrate`; with systemd: `shop migrate`)';

export function schemaState(applied: readonly AppliedMigration[], known: readonly Migration[]): SchemaState {
  const [done, ids] = [new Set(applied.map(({ _id }) => _id)), new Set(known.map(({ id }) => id))];
  return {
    pending: known.filter(({ id }) => !done.has(id)),
    unknown: applied.filter(({ _id }) => !ids.has(_id)),
  };
}

/** A migration of a newer version after which the code cannot work with what is stored; null: none. */
export function newerMigration({ unknown }: SchemaState): AppliedMigration | null {
  return unknown.find(({ phase }) => phase === 'contract') ?? null;
}

/** Why the code cannot work with the database, in one sentence that says what to run; null when it can. */
export function schemaProblem(state: SchemaState): string | null {
  const [{ pending }, newer] = [state, newerMigration(state)];
  if (newer !== null) {
    return `The database was migrated by a newer version (migration ${newer._id}, ${newer.name}): start that version, or restore the backup from before the upgrade`;
  }
  if (pending.length === 0) return null;
  const names = pending.map(({ id, name }) => `${id}, ${name}`).join('; ');
  return `The database is that of an older version (pending migrations: ${names}): run ${HOW_TO_MIGRATE}`;
}

/** @throws ConfigurationError when the code cannot work with the database */
export function requireUsable(state: SchemaState): void {
  const problem = schemaProblem(state);
  if (problem !== null) throw new ConfigurationError(problem);
}
