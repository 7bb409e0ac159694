import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aKey, aMember } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  aTeam,
  aTeammate,
  blind,
  entry,
  inPerson,
  memberDto,
  MISSING,
  type Teammate,
  type TestTeam,
} from './team-actors.js';

let app: TestApp;
let team: TestTeam;
let owner: Teammate;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  team = await aTeam(app);
  owner = team.owner;
});
afterAll(() => app.close());

describe('One more owner of a shop', () => {
  const subject = /^Subject: Sky Realm has a new owner$/m;

  it('announces a new owner to all owners, also to the new one, after a changed role', async () => {
    const heir = await aTeammate(app, team, 'support');
    expectSuccess(await team.change(heir.id, { role: 'owner' }, { token: owner.token }));
    for (const { email } of [owner, heir]) {
      await app.mailbox.next(email, subject);
      await app.mailbox.next(email, new RegExp(heir.email));
    }
  });

  it('announces a new owner to all owners after an invitation', async () => {
    const heir = await aTeammate(app, team, 'owner');
    for (const { email } of [owner, heir]) await app.mailbox.next(email, subject);
    await app.mailbox.next(owner.email, new RegExp(heir.email));
  });
});

describe('POST /shops/{shopId}/team/{memberId}/transfer-ownership', () => {
  it('makes the member an owner and the owner an admin, sends both an email, and records it in the audit log', async () => {
    const heir = await aTeammate(app, team, 'support');
    const response = await team.transfer(heir.id, { token: owner.token });
    expect(blind(expectSuccess(response, 'Ownership transferred'))).toEqual(memberDto(heir, 'support', 'owner'));
    expect(await team.roles()).toEqual(
      new Map([
        [owner.userId, 'admin'],
        [heir.userId, 'owner'],
      ]),
    );
    await app.mailbox.next(heir.email, /^Subject: You are now an owner of Sky Realm$/m);
    await app.mailbox.next(owner.email, /^Subject: You transferred the ownership of Sky Realm$/m);
    const [latest, before] = await team.log();
    expect(latest).toEqual(
      entry(inPerson(owner), 'ownership.transferred', 'The ownership was transferred to another member', heir.id, [
        { field: 'owner', before: owner.userId, after: heir.userId },
      ]),
    );
    expect(before).toMatchObject({ action: 'member.joined' });
    expectError(await team.transfer(heir.id, { token: owner.token }), 403, /^Only an owner with a bearer token/);
  });

  it('requires an owner with a bearer token for a transfer, and rejects an admin and any key of an owner', async () => {
    const admin = await aTeammate(app, team, 'admin');
    const { key } = await aKey(app.api, team);
    const error = 'Only an owner with a bearer token can transfer the ownership';
    for (const call of [{ token: admin.token }, { key }]) {
      expectError(
        await team.transfer(admin.id, call),
        403,
        error,
        `/api/v2${team.path(`/${admin.id}/transfer-ownership`)}`,
      );
    }
    const manager = await aMember(app, team, 'manager');
    expectError(await team.transfer(admin.id, { token: manager.token }), 403, MISSING);
    expect((await team.roles()).get(admin.userId)).toBe('admin');
  });

  it('returns 409 and changes nothing for a member who is an owner already, also for oneself', async () => {
    const second = await aTeammate(app, team, 'owner');
    for (const { id } of [owner, second]) {
      expectError(await team.transfer(id, { token: owner.token }), 409, 'The member is already an owner');
    }
    expect([...(await team.roles()).values()]).toEqual(['owner', 'owner']);
  });
});
