import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aPerson, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The work of a request that takes time. */
interface Work {
  readonly commands: readonly string[];
  readonly hashes: number;
}

async function workOf(app: TestApp, request: () => Promise<Response>): Promise<Work> {
  let commands: string[] = [];
  const hashes = await app.hashesOf(async () => {
    commands = await app.commandsOf(request);
  });
  return { commands, hashes };
}

/** Measured times vary on a busy machine, so these tests compare the work behind the response. */
describe('A known and an unknown address need the same work', () => {
  let home: TestApp;
  let known: string;
  const unknown = (): string => `nobody-${unique()}@example.com`;
  const wrongLogin = (app: TestApp, email: string): Promise<Work> =>
    workOf(app, async () => {
      const response = await app.api.post('/auth/login', { email, password: 'a wrong password' });
      expectError(response, 401, 'The email address or the password is wrong', '/api/v2/auth/login');
      return response;
    });

  beforeAll(async () => {
    home = await startTestApp({ watchCommands: true });
    known = (await aPerson(home.api)).email;
  });
  afterAll(() => home.close());

  it('costs the same work for a known and an unknown address at the first login of a process and at the next ones', async () => {
    const seen: Work[] = [];
    for (const email of [unknown, () => known]) {
      const app = await startTestApp({ watchCommands: true, databaseUri: home.databaseUri });
      try {
        for (let times = 0; times < 3; times++) seen.push(await wrongLogin(app, email()));
      } finally {
        await app.close();
      }
    }
    expect(seen).toEqual(seen.map(() => ({ commands: seen[0]?.commands, hashes: 1 })));
  });

  it('stores a request for a forgotten password, and looks up no account before the response', async () => {
    const seen: Work[] = [];
    for (const email of [unknown(), known, unknown(), known]) {
      const work = await workOf(home, async () => {
        const response = await home.api.post('/auth/password/forgot', { email });
        expectSuccess(response);
        return response;
      });
      seen.push(work);
    }
    expect(seen).toEqual(seen.map(() => ({ commands: seen[0]?.commands, hashes: 0 })));
    expect(seen[0]?.commands).not.toContain('find');
  });
});
