import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../config/environment.js';
import { MIGRATIONS } from './all-migrations.js';
import { type AppliedMigration, type Migration } from './migration.types.js';
import { requireUsable, schemaProblem, schemaState } from './schema-state.js';

const migration = (id: number, phase: Migration['phase'] = 'expand'): Migration => ({
  ...{ id, name: `change-${id}`, phase },
  run: () => Promise.resolve(),
});
const applied = (id: number, phase: Migration['phase'] = 'expand'): AppliedMigration => ({
  ...{ _id: id, name: `change-${id}`, phase },
  appliedAt: new Date(),
});
const KNOWN = [migration(1), migration(2)];
const problemOf = (...records: AppliedMigration[]): string | null => schemaProblem(schemaState(records, KNOWN));

describe('The schema of a database', () => {
  it('returns as pending what the code knows and the database lacks, and as unknown the opposite', () => {
    const state = schemaState([applied(1), applied(3)], KNOWN);
    expect(state.pending.map(({ id }) => id)).toEqual([2]);
    expect(state.unknown.map(({ _id }) => _id)).toEqual([3]);
  });

  it('accepts a database with all migrations, also when a newer version has added what this one can ignore', () => {
    expect(problemOf(applied(1), applied(2))).toBeNull();
    expect(problemOf(applied(1), applied(2), applied(3))).toBeNull();
  });

  it('rejects a database with pending migrations, and says what to run', () => {
    expect(problemOf(applied(1))).toBe(
      'The database is that of an older version (pending migrations: 2, change-2): run `npm run shop -- migrate` (with Docker: `docker compose run --rm service node dist/app/cli.js migrate`; with systemd: `shop migrate`)',
    );
    expect(problemOf()).toContain('pending migrations: 1, change-1; 2, change-2');
  });

  it('rejects a database after a migration that ended the work of older versions, also when others are pending', () => {
    const sentence =
      'The database was migrated by a newer version (migration 3, change-3): start that version, or restore the backup from before the upgrade';
    expect(problemOf(applied(1), applied(2), applied(3, 'contract'))).toBe(sentence);
    expect(problemOf(applied(1), applied(3, 'contract'))).toBe(sentence);
  });

  it('throws a configuration error for a database that is not usable', () => {
    expect(() => {
      requireUsable(schemaState([], KNOWN));
    }).toThrow(ConfigurationError);
    expect(() => {
      requireUsable(schemaState([applied(1), applied(2)], KNOWN));
    }).not.toThrow();
  });
});

it('numbers the migrations from 1 on, without a gap, and gives each a name of its own', () => {
  expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, at) => at + 1));
  expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
});
