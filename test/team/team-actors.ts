import { type Role } from '../../src/common/auth/permissions.js';
import { aMember, type Person, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { type TestApp } from '../support/test-app.js';

export interface Teammate extends Person {
  /** Identifier of the membership. */
  readonly id: string;
}

/** Who is in the team: role by user id. */
export async function rolesOf(api: Client, { shopId }: TestShop, token: string): Promise<ReadonlyMap<string, Role>> {
  const { members } = expectSuccess<{ members: { userId: string; role: Role }[] }>(
    await api.get(`/shops/${shopId}/team`, { token }),
  );
  return new Map(members.map(({ userId, role }) => [userId, role]));
}

/** Identifier of a person's own membership. */
export async function membershipOf(api: Client, { shopId }: TestShop, { token }: Person): Promise<string> {
  return expectSuccess<{ memberId: string }>(await api.get(`/shops/${shopId}/team/me`, { token })).memberId;
}

/** Creates a person who is in the team with that role. */
export async function aTeammate(app: TestApp, shop: TestShop, role: Role): Promise<Teammate> {
  const person = await aMember(app, shop, role);
  return { ...person, id: await membershipOf(app.api, shop, person) };
}
