import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { aKey, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, type TestTeam } from './team-actors.js';

const TOO_MANY = 'Too many requests; wait before you send the next one';

describe('Invitations cannot flood a mailbox', () => {
  let app: TestApp;
  let team: TestTeam;
  const offer = (email: string): object => ({ email, role: 'analyst' });
  const mailsTo = async (email: string): Promise<number> =>
    (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${email}`)).length;

  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
    team = await aTeam(app);
  });
  afterAll(() => app.close());

  it('limits invitations to an address to five an hour, from all people and shops together, and in upper or lower case', async () => {
    const name = `flooded-${unique()}`;
    const other = await aTeam(app);
    const { key } = await aKey(app.api, team);
    const quota = LIMITS.invitationAddress.quota;
    expect(quota).toBe(5);
    const spelled = ['', '+a', '+b', '+a+c', ''].map((tag) => `${name}${tag}@Example.com`);
    for (const [n, email] of spelled.entries()) {
      expectSuccess(
        await (n === 1 ? other.invite(offer(email)) : team.invite(offer(email), n === 0 ? { key } : undefined)),
      );
    }
    const body = offer(`${name}+d@example.com`);
    for (const response of [await team.invite(body, { key }), await team.invite(body), await other.invite(body)]) {
      expectError(response, 429, TOO_MANY);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expectSuccess(await team.invite(offer(`other-${unique()}@example.com`), { key }));
    await app.mailbox.next(`${name}+a+c@example.com`, /shi_/);
    expect(await mailsTo(`${name}+d@example.com`)).toBe(0);
  });

  it('limits invitations by a person to sixty an hour, together with all of their keys', async () => {
    const sender = await aTeam(app);
    const keys = await Promise.all([1, 2, 3].map(() => aKey(app.api, sender)));
    const calls = [{ token: sender.owner.token }, ...keys.map(({ key }) => ({ key }))];
    const responses: number[] = [];
    for (let n = 0; n < LIMITS.invitation.quota + 4; n++) {
      const call = calls[n % calls.length] ?? {};
      responses.push((await sender.invite(offer(`many-${unique()}@example.com`), call)).status);
    }
    expect(responses.filter((status) => status === 200)).toHaveLength(LIMITS.invitation.quota);
    expect(responses.slice(LIMITS.invitation.quota)).toEqual([429, 429, 429, 429]);
  });
});
