import { ConfigurationError } from '../../../infrastructure/config/environment.js';
import { unknownVariables } from '../../../infrastructure/config/env-file.js';
import { type AppConfig } from '../../../infrastructure/config/app-config.js';
import { DatabaseInspection } from '../../../infrastructure/database/database-inspection.js';
import { MailStateService } from '../../../events/mail/mail-state.service.js';
import { KeyRotationService } from '../../key-rotation/key-rotation.service.js';
import { StoredKeysService } from '../../key-rotation/stored-keys.service.js';
import { operatorConfig, withDatabase, withPartsOn } from '../operator.js';
import { print } from '../output.js';
import { CommandError } from '../problems.js';
import { checkPlatformDomain, checkProxy, checkPublicUrl, resolveBySystem } from './address-checks.js';
import { checkDatabase } from './database-checks.js';
import { failed, type Finding, ok, reasonOf, warning } from './finding.js';
import { checkDisk, checkVersions } from './machine-checks.js';
import { checkMail, checkRedis } from './service-checks.js';

/**
 * Checks everything that the service needs from its surroundings, while it runs or not, and prints a line for each check.
 * @throws CommandError when a check failed
 */
export async function runDoctor(asJson: boolean): Promise<void> {
  const findings = await findingsOf(readConfig());
  if (asJson) print(JSON.stringify(findings, null, 2));
  else for (const { check, state, message } of findings) print(`${state.padEnd(7)}  ${check}: ${message}`);
  const count = findings.filter(({ state }) => state === 'failed').length;
  if (count > 0) throw new CommandError(count === 1 ? 'One check failed.' : `${count} checks failed.`);
}

function readConfig(): AppConfig | ConfigurationError {
  try {
    return operatorConfig();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

async function findingsOf(config: AppConfig | ConfigurationError): Promise<Finding[]> {
  // Nothing else can be checked with settings that cannot be read.
  if (config instanceof ConfigurationError) return [await checkVersions(), failed('configuration', reasonOf(config))];
  const others = Promise.all([
    checkDisk(config),
    checkPublicUrl(config, resolveBySystem),
    checkPlatformDomain(config, resolveBySystem),
    checkMail(config),
    checkRedis(config),
  ]);
  return [
    await checkVersions(),
    checkConfiguration(config),
    ...(await databaseFindings(config)),
    checkProxy(config),
    ...(await others),
  ];
}

function checkConfiguration({ environment }: AppConfig): Finding {
  const found = `${environment}, every variable can be read`;
  const unknown = unknownVariables();
  return unknown.length === 0
    ? ok('configuration', found)
    : warning('configuration', `${found}. ${unknown.join('. ')}`);
}

async function databaseFindings(config: AppConfig): Promise<Finding[]> {
  try {
    return await withDatabase(config, (databaseUri) =>
      withPartsOn(databaseUri, config, (app) => {
        const parts = { strict: false };
        return checkDatabase(
          app.get(DatabaseInspection, parts),
          app.get(KeyRotationService, parts),
          app.get(StoredKeysService, parts),
          app.get(MailStateService, parts),
        );
      }),
    );
  } catch (error) {
    return [failed('database', reasonOf(error))];
  }
}
