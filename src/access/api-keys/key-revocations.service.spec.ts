import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeysInMemory, AUTH, AUTHOR, INPUT, STRANGER } from '../../../test/support/api-keys.js';
import { OTHER_SHOP, SHOP, shopContext, USER } from '../../../test/support/contexts.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type AuditService } from '../../events/audit/audit.service.js';
import { type ApiKeysRepository } from './api-keys.repository.js';
import { KeyRevocationsService } from './key-revocations.service.js';

let keys: ApiKeysInMemory;
let revocations: KeyRevocationsService;

beforeEach(() => {
  keys = new ApiKeysInMemory();
  revocations = new KeyRevocationsService(
    keys.repository as unknown as ApiKeysRepository,
    keys.audit.asService,
    directTransactions,
  );
});

const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('revoking a key', () => {
  it('revokes a key forever; a second time changes nothing and writes no second audit entry', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    await rejected(revocations.revoke(STRANGER, record.id), 'api_key_not_found');
    const revoked = await revocations.revoke(AUTH, record.id);
    expect(revoked).toMatchObject({ id: record.id, isActive: false });
    expect(await revocations.revoke(AUTH, record.id)).toEqual(revoked);
    const changes = [{ field: 'revokedAt', before: null, after: revoked.revokedAt?.toISOString() }];
    expect(keys.audit.entries.slice(1)).toEqual([
      { author: AUTHOR, action: 'api_key.revoked', subjectId: record.id, changes },
    ]);
  });

  it('revokes the key of a person who left the shop', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    keys.held = null;
    expect(await revocations.revoke(AUTH, record.id)).toMatchObject({ isActive: false });
  });
});

describe('revoking a key of the shop', () => {
  const manager = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: SHOP });
  const elsewhere = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: 'another shop' });

  it('lets members who manage the team revoke a key of the shop, and names them in the audit log; a second time changes nothing', async () => {
    const { record } = await keys.create(AUTH, INPUT);
    await rejected(revocations.revokeInShop(elsewhere, record.id), 'api_key_not_found');
    const revoked = await revocations.revokeInShop(manager, record.id);
    expect(revoked).toMatchObject({ id: record.id, isActive: false });
    expect(await revocations.revokeInShop(manager, record.id)).toEqual(revoked);
    expect(keys.audit.entries.slice(1)).toEqual([
      expect.objectContaining({
        author: { shopId: SHOP, principal: 'user:manager' },
        action: 'api_key.revoked',
        subjectId: record.id,
      }),
    ]);
  });
});

describe('the keys of a person', () => {
  it('revokes the keys of a person together when the person leaves a shop', async () => {
    await keys.create(AUTH, INPUT);
    await keys.create(AUTH, INPUT);
    expect(await revocations.revokeAllOf(USER, 'another shop', TRANSACTION)).toBe(0);
    expect(await revocations.revokeAllOf(USER, SHOP, TRANSACTION)).toBe(2);
    expect(keys.repository.stored.map(({ isActive }) => isActive)).toEqual([false, false]);
  });

  it('revokes the keys of a person in all shops at once, with an audit entry for each that was not revoked before', async () => {
    const [first, second] = [await keys.create(AUTH, INPUT), await keys.create(AUTH, INPUT)];
    await revocations.revoke(AUTH, first.record.id);
    expect(await revocations.revokeEverywhere(USER, TRANSACTION)).toBe(1);
    expect(keys.repository.stored.map(({ isActive }) => isActive)).toEqual([false, false]);
    expect(keys.audit.entries.slice(3)).toEqual([
      expect.objectContaining({ author: AUTHOR, action: 'api_key.revoked', subjectId: second.record.id }),
    ]);
    expect(await revocations.revokeEverywhere('somebody', TRANSACTION)).toBe(0);
  });

  it('records the revoked keys of a person in the audit log of their own shop, with one write for each shop', async () => {
    const made = [await keys.create(AUTH, INPUT), await keys.create(AUTH, INPUT), await keys.create(AUTH, INPUT)];
    const [first, second, third] = made.map(({ record }) => record.id);
    keys.repository.become(second ?? '', { shopId: OTHER_SHOP });
    const calls: Call[] = [];
    const audit = recording<AuditService>(calls, { recordAll: () => Promise.resolve() });
    const all = new KeyRevocationsService(keys.repository as unknown as ApiKeysRepository, audit, directTransactions);
    expect(await all.revokeEverywhere(USER, TRANSACTION)).toBe(3);
    const of = (...ids: (string | undefined)[]): unknown => ids.map((id) => expect.objectContaining({ subjectId: id }));
    expect(calls).toEqual([
      ['recordAll', AUTHOR, of(first, third), TRANSACTION],
      ['recordAll', { ...AUTHOR, shopId: OTHER_SHOP }, of(second), TRANSACTION],
    ]);
  });
});
