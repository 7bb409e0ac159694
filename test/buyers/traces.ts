import { type Db, type Document } from 'mongodb';
import { OutboxVault } from '../../src/events/outbox/outbox-vault.js';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { SECRETS } from '../support/test-app.js';

const vault = new OutboxVault({
  ...{ encryptionKey: Buffer.from(SECRETS.ENCRYPTION_KEY, 'hex'), previousEncryptionKey: null },
} as AppConfig);

/** A stored value as text. Messages that wait are encrypted. */
function textOf(field: string, value: unknown, { _id }: Document): string {
  const sealed = field === 'sealedPayload' && typeof value === 'string' ? value : null;
  const opened = sealed === null ? null : vault.tryOpen({ id: String(_id), sealedPayload: sealed });
  return JSON.stringify(opened ?? value).toLowerCase();
}

/** Where one of these names stands in a database, in any case: `collection.field`, sorted. */
export async function tracesOf(db: Db, names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const { collectionName } of await db.collections()) {
    for (const document of await db.collection(collectionName).find().toArray()) {
      for (const [field, value] of Object.entries(document)) {
        const text = textOf(field, value, document);
        if (names.some((name) => text.includes(name.toLowerCase()))) found.add(`${collectionName}.${field}`);
      }
    }
  }
  return [...found].sort();
}
