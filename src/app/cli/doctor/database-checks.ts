import {
  type DatabaseInspection,
  type IndexDifferences,
  type ServerFacts,
} from '../../../infrastructure/database/database-inspection.js';
import {
  HOW_TO_MIGRATE,
  schemaProblem,
  type SchemaState,
} from '../../../infrastructure/database/migrations/schema-state.js';
import { type MailProblem, type MailStateService } from '../../../events/mail/mail-state.service.js';
import { SECOND_MS } from '../../../lib/time/durations.js';
import { type KeyRotationService } from '../../key-rotation/key-rotation.service.js';
import { type StoredKeysService } from '../../key-rotation/stored-keys.service.js';
import { isAtLeast } from './machine-checks.js';
import { failed, type Finding, ok, warning } from './finding.js';

const TESTED_VERSION = '8.0';
const CLOCK_WARNING_MS = 2 * SECOND_MS;
const CLOCK_FAILURE_MS = 30 * SECOND_MS;

/** All checks that need the database. They change nothing in it. */
export async function checkDatabase(
  inspection: DatabaseInspection,
  rotation: KeyRotationService,
  storedKeys: StoredKeysService,
  mail: MailStateService,
): Promise<Finding[]> {
  const facts = await inspection.server();
  const findings = [serverFinding(facts), clockFinding(facts.clockAheadMs)];
  const unfinished = await inspection.unfinishedProblem();
  // The schema, the indexes and the data of a part of a database say nothing.
  if (unfinished !== null) return [...findings, failed('schema', unfinished)];
  if (await inspection.isNew()) {
    return [...findings, ok('schema', 'the database is empty: the first start of the service prepares it')];
  }
  return [
    ...findings,
    schemaFinding(await inspection.schema()),
    indexFinding(await inspection.indexes()),
    keyFinding(await storedKeys.missingKeyProblem(), await rotation.unreadableKinds()),
    mailAccountFinding(await mail.problem()),
  ];
}

export function serverFinding({ version, isReplicaSet, isEmbedded }: Omit<ServerFacts, 'clockAheadMs'>): Finding {
  if (isEmbedded) {
    return ok('database', `the embedded store, which works like MongoDB ${version}, for one process of the service`);
  }
  const found = `MongoDB ${version}`;
  if (!isReplicaSet) {
    return failed(
      'database',
      `${found} is no replica set and has no transactions: start mongod with --replSet, and call rs.initiate()`,
    );
  }
  return isAtLeast(version, TESTED_VERSION)
    ? ok('database', `${found}, a replica set`)
    : warning(
        'database',
        `${found}: the service is tested with ${TESTED_VERSION}. Upgrade one major version at a time`,
      );
}

/** Leases, deadlines and codes are compared with the clocks of all processes. */
export function clockFinding(databaseAheadMs: number): Finding {
  const seconds = (Math.abs(databaseAheadMs) / SECOND_MS).toFixed(1);
  const found = `the clocks of this computer and the database differ by ${seconds} s`;
  if (Math.abs(databaseAheadMs) < CLOCK_WARNING_MS) return ok('clock', found);
  const advice = `${found}: synchronise both by NTP`;
  return Math.abs(databaseAheadMs) < CLOCK_FAILURE_MS ? warning('clock', advice) : failed('clock', advice);
}

export function schemaFinding(state: SchemaState): Finding {
  const problem = schemaProblem(state);
  if (problem !== null) return failed('schema', problem);
  const [newer] = state.unknown;
  return newer === undefined
    ? ok('schema', 'the database has the schema of this version')
    : warning('schema', `the database was migrated by a newer version (${newer.name}): upgrade this one too`);
}

export function indexFinding({ missing, superfluous }: IndexDifferences): Finding {
  if (missing.length > 0) {
    return failed('indexes', `missing: ${missing.join(', ')}. To create them, run ${HOW_TO_MIGRATE}`);
  }
  return superfluous.length === 0
    ? ok('indexes', 'the database has all indexes')
    : warning('indexes', `no query needs ${superfluous.join(', ')}: remove them when no older version runs`);
}

/** @param missingKeyProblem why a start is refused; null: it is not */
export function keyFinding(missingKeyProblem: string | null, unreadableKinds: readonly string[]): Finding {
  if (missingKeyProblem !== null) return failed('encryption key', missingKeyProblem);
  return unreadableKinds.length === 0
    ? ok('encryption key', 'it decrypts what is stored')
    : failed(
        'encryption key',
        `no configured key decrypts ${unreadableKinds.join(', ')}: set the key that encrypted them as ENCRYPTION_KEY_PREVIOUS`,
      );
}

/** What the service has seen of its mail account. No connection shows it: the server refuses only the emails. */
export function mailAccountFinding(problem: MailProblem | null): Finding {
  return problem === null
    ? ok('mail account', 'the mail server has not refused it')
    : failed(
        'mail account',
        'the mail server refuses all emails of the service. They are retried for three days. Look for a limit, ' +
          'a sender that is not verified (MAIL_FROM), or an account that is blocked, at the provider of SMTP_URL',
      );
}
