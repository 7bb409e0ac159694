import { beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { ApiKeysInMemory, AUTH, AUTHOR, INPUT, SERVER, STRANGER } from '../../../test/support/api-keys.js';
import { SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { EMAILED_SHOP, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { permissionsOfRole } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { newCreation } from '../../infrastructure/idempotency/creation.js';
import { keyCreatedEmail } from './key-emails.js';

let keys: ApiKeysInMemory;

beforeEach(() => {
  keys = new ApiKeysInMemory();
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('creating a key', () => {
  it('sends an email to the owners of the shop and to the person, without the key', async () => {
    const { record, key } = await keys.create(AUTH, INPUT);
    const email = keyCreatedEmail(EMAILED_SHOP, record);
    expect(keys.emails.sent).toEqual([{ shopId: SHOP, email, also: USER }]);
    expect(wordsOf(email)).toContain(record.preview);
    expect(wordsOf(email)).not.toContain(key);
  });

  it('serialises the creation of keys with what else counts against the quota of the shop', async () => {
    await keys.create(AUTH, INPUT);
    expect(keys.queues).toEqual([lockOn('keysPerShop', SHOP)]);
  });

  it('counts against the quotas of the shop and of the person, and stores nothing when one is reached', async () => {
    await keys.create(AUTH, INPUT);
    keys.quotas.isFull = true;
    await rejected(keys.create(AUTH, INPUT), 'quota_reached');
    keys.quotas.isFull = false;
    await keys.create(AUTH, INPUT);
    expect(keys.quotas.checked).toEqual([
      ['keysPerShop', SHOP, 0, TRANSACTION],
      ['keysPerPerson', USER, 0, TRANSACTION],
      ['keysPerShop', SHOP, 1, TRANSACTION],
      ['keysPerShop', SHOP, 1, TRANSACTION],
      ['keysPerPerson', USER, 1, TRANSACTION],
    ]);
    expect([keys.repository.stored.length, keys.audit.entries.length]).toEqual([2, 2]);
  });

  it('stores only the hash and the preview, never the key', async () => {
    const { record, key } = await keys.create(AUTH, INPUT);
    expect(record).toMatchObject({ userId: USER, shopId: SHOP, scopes: ['orders:read'], expiresAt: null });
    expect(keys.repository.hashes).toEqual([sha256(key)]);
    expect(JSON.stringify([keys.repository.stored, keys.audit.entries])).not.toContain(key);
  });

  it('returns 404 for a shop that the caller is not a member of', async () => {
    keys.held = null;
    await rejected(keys.create(AUTH, INPUT), 'shop_not_found');
    keys.held = permissionsOfRole('owner');
    keys.isStillMember = false;
    await rejected(keys.create(AUTH, INPUT), 'shop_not_found');
    expect([keys.repository.stored, keys.audit.entries]).toEqual([[], []]);
  });

  it('rejects permissions that the caller lacks, an expiry in the past, and invalid restrictions', async () => {
    const past = new Date(Date.now() - 1);
    await rejected(keys.create(AUTH, { ...INPUT, expiresAt: past }), 'validation_failed');
    await rejected(keys.create(AUTH, { ...INPUT, ipAllowlist: ['localhost'] }), 'validation_failed');
    await rejected(keys.create(AUTH, { ...INPUT, serverIds: ['0'.repeat(24)] }), 'server_not_found');
    keys.held = permissionsOfRole('analyst');
    const tooMany = keys.create(AUTH, { ...INPUT, permissions: ['orders:write', 'everything'] });
    await expect(tooMany).rejects.toMatchObject({
      code: 'permission_not_grantable',
      message: expect.stringMatching(
        /^permissions: you do not have orders:write yourself; permissions: everything is not a known permission; /,
      ) as unknown,
    });
    expect(keys.repository.stored).toEqual([]);
    expect(keys.audit.entries).toEqual([]);
  });

  it('writes an audit entry with all values in the shop of the key', async () => {
    const { record } = await keys.create(AUTH, { ...INPUT, serverIds: [SERVER], ipAllowlist: ['192.0.2.7'] });
    expect(keys.audit.entries).toEqual([
      {
        author: AUTHOR,
        action: 'api_key.created',
        subjectId: record.id,
        changes: [
          { field: 'name', before: null, after: 'Survival' },
          { field: 'type', before: null, after: 'plugin' },
          { field: 'permissions', before: null, after: 'orders:read' },
          { field: 'serverIds', before: null, after: SERVER },
          { field: 'ipAllowlist', before: null, after: '192.0.2.7' },
          { field: 'keyPreview', before: null, after: record.preview },
        ],
      },
    ]);
  });
});

describe('a request that is repeated because its process died', () => {
  const creation = newCreation();
  const repeated = { ...creation, isRepeated: true };

  it('creates one key, and never shows its secret', async () => {
    await keys.create(AUTH, INPUT, creation);
    await rejected(keys.create(AUTH, INPUT, repeated), 'secret_shown_once');
    expect([keys.repository.stored.length, keys.audit.entries.length]).toEqual([1, 1]);
  });

  it('creates the key when the first request did not', async () => {
    expect((await keys.create(AUTH, INPUT, repeated)).record).toMatchObject({ id: creation.id });
  });

  it('rotates a key once, so the previous secret stays valid for its grace period', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    await keys.rotate(AUTH, record.id, 60, creation);
    await rejected(keys.rotate(AUTH, record.id, 60, repeated), 'secret_shown_once');
    expect(keys.repository.hashes).toHaveLength(2);
    await keys.rotate(AUTH, record.id, 60, { ...newCreation(), isRepeated: true });
    expect(keys.repository.hashes).toHaveLength(3);
  });
});

describe('the keys of a shop', () => {
  const manager = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: SHOP });
  const elsewhere = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: 'another shop' });
  const page = { after: null, limit: 10 };

  it('lists the keys of a shop for members who manage its team, and for nobody in other shops', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    expect((await keys.service.listInShop(manager, {}, page)).items).toEqual([record]);
    expect((await keys.service.listInShop(elsewhere, {}, page)).items).toEqual([]);
  });
});

describe('the keys of a person', () => {
  it('lists the keys of a person for their creator only', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    const page = { after: null, limit: 10 };
    expect((await keys.service.list(AUTH, {}, page)).items).toEqual([record]);
    expect((await keys.service.list(STRANGER, {}, page)).items).toEqual([]);
  });

  it('gives the keys of a person the rights of their own list and type, until they are revoked', async () => {
    const { record } = await keys.create(AUTH, { ...INPUT, serverIds: [SERVER] });
    const rights = {
      scopes: new Set(['orders:read', 'deliveries:read', 'entitlements:read']),
      serverIds: new Set([SERVER]),
    };
    expect(await keys.service.rightsOf(USER, record.id, TRANSACTION)).toEqual(rights);
    expect(await keys.service.rightsOf('somebody', record.id, TRANSACTION)).toBeNull();
    keys.repository.become(record.id, { revokedAt: new Date(), isActive: false });
    expect(await keys.service.rightsOf(USER, record.id, TRANSACTION)).toBeNull();
  });

  it('lets the keys of a person act for every server when they are restricted to none', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    expect(await keys.service.rightsOf(USER, record.id, TRANSACTION)).toMatchObject({ serverIds: null });
  });
});
