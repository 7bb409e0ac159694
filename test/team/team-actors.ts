import { type Response } from 'supertest';
import { permissionsOfRole, type Role } from '../../src/domain/principal/permissions.js';
import { aMember, aShop, type Person, type TestShop } from '../support/actors.js';
import { type Call, type Client } from '../support/client.js';
import { anId, anInstant, expectSuccess } from '../support/envelope.js';
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

/** The reasons for which changes of a team are rejected. */
export const ABOVE = 'The member has permissions that you do not have';
export const TOO_MUCH = 'The role has permissions that you do not have';
export const MISSING = 'The credential lacks the permission team:write';
export const LAST_OWNER = 'A shop must have at least one owner; make somebody else an owner first';
export const MALFORMED = 'An identifier in the path is not an ObjectId of 24 hexadecimal digits';
export const UNAUTHENTICATED = 'Authentication is missing or invalid';
export const NO_ACCESS = 'The credential has no access to this shop';

/** A new shop, the calls of its team with any credential, and what the owner sees of it. */
export interface TestTeam {
  readonly shop: TestShop;
  readonly owner: Teammate;
  /** Path of the team, with what follows it. */
  path(rest?: string): string;
  change(id: string, body: unknown, call: Call): Promise<Response>;
  remove(id: string, call: Call): Promise<Response>;
  leave(call: Call): Promise<Response>;
  transfer(id: string, call: Call): Promise<Response>;
  me(call: Call): Promise<Response>;
  roles(): Promise<ReadonlyMap<string, Role>>;
  /** The audit log, the newest entry first. */
  log(): Promise<unknown[]>;
}

export async function aTeam(api: Client): Promise<TestTeam> {
  const shop = await aShop(api);
  const { shopId, owner } = shop;
  const path = (rest = ''): string => `/shops/${shopId}/team${rest}`;
  return {
    shop,
    owner: { ...owner, id: await membershipOf(api, shop, owner) },
    path,
    change: (id, body, call) => api.patch(path(`/${id}`), body, call),
    remove: (id, call) => api.delete(path(`/${id}`), call),
    leave: (call) => api.delete(path('/me'), call),
    transfer: (id, call) => api.post(path(`/${id}/transfer-ownership`), {}, call),
    me: (call) => api.get(path('/me'), call),
    roles: () => rolesOf(api, shop, owner.token),
    log: async () => expectSuccess<unknown[]>(await api.get(`/shops/${shopId}/audit`, { token: owner.token })),
  };
}

export const inPerson = ({ userId }: Person): object => ({ type: 'user', id: userId });

/** An entry of the audit log. */
export const entry = (
  actor: object,
  action: string,
  summary: string,
  subjectId: string,
  changes: readonly object[],
): object => ({ id: anId, at: anInstant, actor, action, summary, subjectId, changes });

/** A member as the API returns it, before the first request after joining. */
export const memberDto = (member: Teammate, name: string, role: Role): object => ({
  id: member.id,
  userId: member.userId,
  name,
  email: member.email,
  role,
  permissions: [...permissionsOfRole(role)],
  status: 'active',
  joinedAt: anInstant,
  lastActiveAt: null,
});

/** Without the times that are stored after a response. */
export const blind = (member: object): object => ({ ...member, lastActiveAt: null });
