import { expect, it } from '@jest/globals';
import { ENVIRONMENT_NAMES } from './environment.js';
import { unknownVariables } from './env-file.js';

const VALUE = 'a-secret-value';

it.each([
  ['SMPT_URL', '.env sets SMPT_URL, which the service does not know: did you mean SMTP_URL?'],
  ['ENCRYPTIONKEY', '.env sets ENCRYPTIONKEY, which the service does not know: did you mean ENCRYPTION_KEY?'],
  ['public_url', '.env sets public_url, which the service does not know: did you mean PUBLIC_URL?'],
  ['TRUST_PROXIES', '.env sets TRUST_PROXIES, which the service does not know: did you mean TRUST_PROXY?'],
  ['PROT', '.env sets PROT, which the service does not know'],
  ['GREETING', '.env sets GREETING, which the service does not know'],
  // A line of a key in several lines.
  ['b64secretPart', '.env has a line that sets no known variable'],
])('warns about %s in the file without its value', (name, sentence) => {
  expect(unknownVariables({ PORT: '3000', [name]: VALUE })).toEqual([sentence]);
});

it('warns about no variable that the service or docker-compose.yml reads', () => {
  const names = [...ENVIRONMENT_NAMES, 'MONGO_PASSWORD', 'COMPOSE_PROFILES', 'BACKUP_FOLDER'];
  expect(unknownVariables(Object.fromEntries(names.map((name) => [name, VALUE])))).toEqual([]);
});
