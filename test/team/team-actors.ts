import { type Response } from 'supertest';
import { permissionsOfRole, type Role } from '../../src/domain/principal/permissions.js';
import { aMember, aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { type Call, type Client } from '../support/client.js';
import { expect } from '@jest/globals';
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

/** The reasons for which replies to invitations are rejected, and the paths that these errors name. */
export const INVALID = 'The invitation is unknown, expired or already used';
export const POWERLESS = 'The sender of the invitation can no longer assign this role; ask for a new invitation';
export const ACCEPT = '/api/v2/team/invitations/accept';
export const DECLINE = '/api/v2/team/invitations/decline';

/** The token of an invitation, as an email has it. */
export const INVITATION_TOKEN = /shi_[A-Za-z0-9_-]{43}/;

export interface TestInvitation {
  readonly id: string;
  readonly person: Person;
  readonly token: string;
}

/** What the owner sees of a team. */
interface TeamList {
  readonly members: readonly { readonly id: string; readonly userId: string; readonly role: Role }[];
  readonly invitations: readonly { readonly id: string; readonly email: string; readonly role: Role }[];
}

/** A shop, the calls of its team and of its invitations with any credential, and what the owner sees of them. */
export interface TestTeam extends TestShop {
  readonly owner: Teammate;
  /** Path of the team, with what follows it. */
  path(rest?: string): string;
  change(id: string, body: unknown, call: Call): Promise<Response>;
  remove(id: string, call: Call): Promise<Response>;
  leave(call: Call): Promise<Response>;
  transfer(id: string, call: Call): Promise<Response>;
  me(call: Call): Promise<Response>;
  list(): Promise<TeamList>;
  roles(): Promise<ReadonlyMap<string, Role>>;
  /** The audit log, the newest entry first. */
  log(): Promise<unknown[]>;
  invite(body: object, call?: Call): Promise<Response>;
  accept(token: string, as: Person): Promise<Response>;
  decline(token: string, as: Person): Promise<Response>;
  revoke(id: string, call?: Call): Promise<Response>;
  /** Invites a new person. The token comes from the email. */
  anInvitation(role?: Role, call?: Call): Promise<TestInvitation>;
  /** The token of the latest email to an address, other than that of an earlier email. */
  mailedTo(email: string, earlier?: string): Promise<string>;
}

/** The team of a new shop, or of `shop`: so the calls of one team go through several processes. */
export async function aTeam({ api, mailbox }: TestApp, shop?: TestShop): Promise<TestTeam> {
  const made = shop ?? (await aShop(api));
  const { shopId, owner } = made;
  const byOwner = { token: owner.token };
  const path = (end = ''): string => `/shops/${shopId}/team${end}`;
  const invite: TestTeam['invite'] = (body, call = byOwner) => api.post(path('/invitations'), body, call);
  const mailedTo: TestTeam['mailedTo'] = async (email, earlier = '-') =>
    (await mailbox.next(email, new RegExp(`(?!${earlier})${INVITATION_TOKEN.source}`)))[0];
  return {
    ...made,
    owner: { ...owner, id: await membershipOf(api, made, owner) },
    path,
    change: (id, body, call) => api.patch(path(`/${id}`), body, call),
    remove: (id, call) => api.delete(path(`/${id}`), call),
    leave: (call) => api.delete(path('/me'), call),
    transfer: (id, call) => api.post(path(`/${id}/transfer-ownership`), {}, call),
    me: (call) => api.get(path('/me'), call),
    list: async () => expectSuccess<TeamList>(await api.get(path(), byOwner)),
    roles: () => rolesOf(api, made, owner.token),
    log: async () => expectSuccess<unknown[]>(await api.get(`/shops/${shopId}/audit`, byOwner)),
    invite,
    mailedTo,
    accept: (token, as) => api.post('/team/invitations/accept', { token }, { token: as.token }),
    decline: (token, as) => api.post('/team/invitations/decline', { token }, { token: as.token }),
    revoke: (id, call = byOwner) => api.delete(path(`/invitations/${id}`), call),
    anInvitation: async (role = 'analyst', call = byOwner) => {
      const person = await aPerson(api);
      const { id } = expectSuccess<{ id: string }>(await invite({ email: person.email, role }, call));
      return { id, person, token: await mailedTo(person.email) };
    },
  };
}

export const inPerson = ({ userId }: Person): object => ({ type: 'user', id: userId, name: expect.any(String) });

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
