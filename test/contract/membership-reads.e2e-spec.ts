import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aShop, type TestShop, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate } from '../team/team-actors.js';

/**
 * The guard reads the caller's membership together with the credential, and passes it on. A service reads it again only inside a transaction, because it
 * must still be true at the commit.
 */
describe('A request reads the membership of its caller once', () => {
  const WRITTEN = ['insert', 'commitTransaction'];
  /** The entry of the log, and who wants its event. */
  const LOGGED = ['insert', 'find', 'commitTransaction'];
  let app: TestApp;
  let shop: TestShop;
  let token: string;
  const cost = (work: () => Promise<Response>): Promise<string[]> =>
    app.commandsOf(async () => {
      expectSuccess(await work());
    });

  beforeAll(async () => {
    app = await startTestApp({ watchCommands: true, config: { sweepIntervalMs: 3_600_000 } });
    shop = await aShop(app.api);
    ({ token } = shop.owner);
    expectSuccess(await app.api.get(`/shops/${shop.shopId}/team`, { token }));
  });
  afterAll(() => app.close());

  it('to return the permissions of the caller: session or key, with the membership', async () => {
    const path = `/shops/${shop.shopId}/team/me`;
    const { key } = await aKey(app.api, shop);
    expectSuccess(await app.api.get(path, { key }));
    for (const call of [{ token }, { key }]) expect(await cost(() => app.api.get(path, call))).toEqual(['aggregate']);
  });

  it('to close a shop and to open it again: session with membership; the change and its log entry', async () => {
    const path = `/shops/${shop.shopId}`;
    const change = ['aggregate', 'findAndModify', ...WRITTEN];
    expect(await cost(() => app.api.delete(path, { token }))).toEqual(change);
    expect(await cost(() => app.api.post(`${path}/reactivate`, {}, { token }))).toEqual(change);
  });

  it('to invite: session with membership, and twice the account of the address and, if there is one, whether it is a member', async () => {
    const path = `/shops/${shop.shopId}/team/invitations`;
    const [stranger, person] = [`nobody-${unique()}@example.com`, await aShop(app.api)];
    // The open invitations, the claim of the quota and the members.
    const room = ['aggregate', 'update', 'aggregate'];
    // The log entry, who wants the event, and the email, which has the name of the shop. It is sent after the commit.
    const written = [...room, 'findAndModify', 'insert', 'find', 'find', ...WRITTEN];
    const known = { email: person.owner.email, role: 'analyst' };
    const first = await cost(() => app.api.post(path, { email: stranger, role: 'analyst' }, { token }));
    // The account is read again after the claim of the team (`update`): the person may have joined meanwhile.
    expect(first.slice(0, 13)).toEqual(['aggregate', 'find', 'update', 'find', ...written]);
    await app.mailbox.next(stranger, /shi_/);
    const second = await cost(() => app.api.post(path, known, { token }));
    expect(second.slice(0, 15)).toEqual(['aggregate', 'find', 'find', 'update', 'find', 'find', ...written]);
    await app.mailbox.next(known.email, /shi_/);
  });

  it('to change a role: session with membership; both members as they are in the transaction, log entry, who wants the event; the account', async () => {
    const { id } = await aTeammate(app, shop, 'manager');
    const path = `/shops/${shop.shopId}/team/${id}`;
    const commands = await cost(() => app.api.patch(path, { role: 'support' }, { token }));
    expect(commands).toEqual(['aggregate', 'find', 'update', 'findAndModify', ...LOGGED, 'find']);
  });
});
