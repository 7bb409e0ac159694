import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeysInMemory, AUTH, AUTHOR, INPUT, SERVER, STRANGER } from '../../../test/support/api-keys.js';
import { SHOP, USER } from '../../../test/support/contexts.js';
import { EMAILED_SHOP, wordsOf } from '../../../test/support/fakes.js';
import { permissionsOfRole } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { keyRotatedEmail } from './key-emails.js';
import { keyPreview } from './key-format.js';

let keys: ApiKeysInMemory;

beforeEach(() => {
  keys = new ApiKeysInMemory();
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('updating a key', () => {
  it('rejects a change without a name and permissions, and a key of another person', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    await expect(keys.service.update(AUTH, record.id, {})).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'Send name, permissions, or both',
    });
    for (const changes of [{ name: 'x' }, { permissions: [] }]) {
      await rejected(keys.service.update(STRANGER, record.id, changes), 'api_key_not_found');
    }
  });

  it('lets a person who left the shop rename a key and remove its permissions, but not give it any', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    keys.held = null;
    expect(await keys.service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
    expect(await keys.service.update(AUTH, record.id, { permissions: [] })).toMatchObject({ scopes: [] });
    await rejected(keys.service.update(AUTH, record.id, { permissions: ['orders:read'] }), 'permission_not_grantable');
  });

  it('keeps the fields that are not sent', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    await keys.service.update(AUTH, record.id, { permissions: ['servers:read', 'servers:read'] });
    expect(keys.repository.stored).toEqual([{ ...record, scopes: ['servers:read'] }]);
    const changes = [{ field: 'permissions', before: 'orders:read', after: 'servers:read' }];
    expect(keys.audit.entries.at(-1)).toEqual({
      author: AUTHOR,
      action: 'api_key.updated',
      subjectId: record.id,
      changes,
    });
  });

  it('writes no audit entry when it changes nothing', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    expect(await keys.service.update(AUTH, record.id, { name: INPUT.name })).toEqual(record);
    expect(keys.audit.entries).toHaveLength(1);
  });

  it('changes only the name of a key that no longer works', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    keys.repository.become(record.id, { isActive: false });
    await rejected(keys.service.update(AUTH, record.id, { permissions: [] }), 'api_key_inactive');
    await rejected(keys.service.restrict(AUTH, record.id, { serverIds: null, ipAllowlist: null }), 'api_key_inactive');
    await rejected(keys.rotate(AUTH, record.id, 0), 'api_key_inactive');
    expect(await keys.service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
  });
});

describe('restricting a key', () => {
  it('replaces both lists, without duplicates', async () => {
    const { record } = await keys.create(AUTH, { ...INPUT, ipAllowlist: ['192.0.2.7'] });
    const requested = { serverIds: [SERVER], ipAllowlist: ['10.0.0.0/8', '10.0.0.0/8'] };
    expect(await keys.service.restrict(AUTH, record.id, requested)).toEqual({
      ...record,
      serverIds: [SERVER],
      ipAllowlist: ['10.0.0.0/8'],
    });
    const free = { serverIds: null, ipAllowlist: null };
    expect(await keys.service.restrict(AUTH, record.id, free)).toEqual({ ...record, ...free });
    expect(keys.audit.entries.at(-1)?.changes).toEqual([
      { field: 'serverIds', before: SERVER, after: null },
      { field: 'ipAllowlist', before: '10.0.0.0/8', after: null },
    ]);
  });

  it('requires all permissions of the key to change its restrictions, because they can give the key more', async () => {
    const { record } = await keys.create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    const free = { serverIds: null, ipAllowlist: null };
    await rejected(keys.service.restrict(STRANGER, record.id, free), 'api_key_not_found');
    keys.held = permissionsOfRole('analyst');
    await rejected(keys.service.restrict(AUTH, record.id, free), 'permission_not_grantable');
    keys.held = null;
    await rejected(keys.service.restrict(AUTH, record.id, free), 'shop_not_found');
    expect(keys.audit.entries).toHaveLength(1);
  });

  it('rejects a restriction of a key that is revoked meanwhile, without an audit entry', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    keys.meanwhile = () => keys.repository.become(record.id, { revokedAt: new Date(), isActive: false });
    await rejected(keys.service.restrict(AUTH, record.id, { serverIds: null, ipAllowlist: null }), 'api_key_inactive');
    expect(keys.audit.entries).toHaveLength(1);
  });
});

describe('rotating a key', () => {
  it('sends an email to the owners of the shop and to the person, without the key', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    const rotated = await keys.rotate(AUTH, record.id, 0);
    const email = keyRotatedEmail(EMAILED_SHOP, rotated.record);
    expect(keys.emails.sent[1]).toEqual({ shopId: SHOP, email, also: USER });
    expect(wordsOf(email)).not.toContain(rotated.key);
  });

  it('returns a new secret, and keeps the current one during the grace period', async () => {
    const { record, key } = await keys.create(AUTH, INPUT);
    const rotated = await keys.rotate(AUTH, record.id, 3_600);
    expect(rotated.key).not.toBe(key);
    const { rotationId, rotatedAt, previousKeyExpiresAt } = rotated.record;
    expect((previousKeyExpiresAt?.getTime() ?? 0) - (rotatedAt?.getTime() ?? 0)).toBe(3_600_000);
    const fields = { rotationId, rotatedAt, previousKeyExpiresAt };
    expect(rotated.record).toEqual({ ...record, preview: keyPreview(rotated.key), ...fields });
    expect(keys.repository.hashes).toEqual([sha256(key), sha256(rotated.key)]);
    expect(keys.audit.entries.at(-1)).toEqual({
      author: AUTHOR,
      action: 'api_key.rotated',
      subjectId: record.id,
      changes: [
        { field: 'keyPreview', before: keyPreview(key), after: keyPreview(rotated.key) },
        { field: 'previousKeyExpiresAt', before: null, after: previousKeyExpiresAt?.toISOString() },
      ],
    });
    expect(JSON.stringify([keys.repository.stored, keys.audit.entries])).not.toContain(rotated.key);
  });

  it('requires all permissions of the key for a rotation, because the new secret gives them', async () => {
    const { record } = await keys.create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    await rejected(keys.rotate(STRANGER, record.id, 0), 'api_key_not_found');
    keys.held = permissionsOfRole('analyst');
    await rejected(keys.rotate(AUTH, record.id, 0), 'permission_not_grantable');
    keys.held = null;
    await rejected(keys.rotate(AUTH, record.id, 0), 'shop_not_found');
    keys.held = permissionsOfRole('analyst');
    await keys.service.update(AUTH, record.id, { permissions: ['orders:read'] });
    expect(await keys.rotate(AUTH, record.id, 0)).toMatchObject({ record: { previousKeyExpiresAt: null } });
  });

  it('rotates a key without the permissions that the type of the key excludes', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    keys.repository.become(record.id, { scopes: ['orders:read', 'team:write'] });
    keys.held = permissionsOfRole('support');
    expect(await keys.rotate(AUTH, record.id, 0)).toMatchObject({ record: { id: record.id } });
  });

  it('fails when another rotation came first', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    const both = await Promise.allSettled([keys.rotate(AUTH, record.id, 0), keys.rotate(AUTH, record.id, 0)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'state_conflict' } });
    expect(keys.audit.entries).toHaveLength(2);
  });
});
