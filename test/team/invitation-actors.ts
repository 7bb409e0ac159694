import { type Response } from 'supertest';
import { type Role } from '../../src/domain/principal/permissions.js';
import { aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { type TestApp } from '../support/test-app.js';

/** The token of an invitation, as an email has it. */
export const INVITATION_TOKEN = /shi_[A-Za-z0-9_-]{43}/;
export const INVALID = 'The invitation is unknown, expired or already used';
export const POWERLESS = 'The sender of the invitation can no longer assign this role; ask for a new invitation';

/** The paths that errors name. */
export const ACCEPT = '/api/v2/team/invitations/accept';
export const DECLINE = '/api/v2/team/invitations/decline';

interface Team {
  readonly members: readonly { readonly id: string; readonly userId: string; readonly role: string }[];
  readonly invitations: readonly { readonly id: string; readonly email: string; readonly role: string }[];
}

/** A new shop, the calls of its invitations, and what the owner sees of them. */
export interface InvitingShop extends TestShop {
  /** Path of the invitations, with what follows it. */
  path(rest?: string): string;
  invite(body: object, call?: Call): Promise<Response>;
  accept(token: string, as: Person): Promise<Response>;
  decline(token: string, as: Person): Promise<Response>;
  revoke(id: string, call?: Call): Promise<Response>;
  /** Invites a new person. The token comes from the email. */
  anInvitation(role?: Role, call?: Call): Promise<{ id: string; person: Person; token: string }>;
  /** The token of the latest email to an address. */
  mailedTo(email: string): Promise<string>;
  team(): Promise<Team>;
}

export async function anInvitingShop({ api, mailbox }: TestApp): Promise<InvitingShop> {
  const shop = await aShop(api);
  const { shopId, owner } = shop;
  const byOwner = { token: owner.token };
  const path = (rest = ''): string => `/shops/${shopId}/team/invitations${rest}`;
  const invite = (body: object, call: Call = byOwner): Promise<Response> => api.post(path(), body, call);
  const mailedTo = async (email: string): Promise<string> => (await mailbox.next(email, INVITATION_TOKEN))[0];
  return {
    ...shop,
    path,
    invite,
    mailedTo,
    accept: (token, as) => api.post('/team/invitations/accept', { token }, { token: as.token }),
    decline: (token, as) => api.post('/team/invitations/decline', { token }, { token: as.token }),
    revoke: (id, call = byOwner) => api.delete(path(`/${id}`), call),
    anInvitation: async (role = 'analyst', call = byOwner) => {
      const person = await aPerson(api);
      const { id } = expectSuccess<{ id: string }>(await invite({ email: person.email, role }, call));
      return { id, person, token: await mailedTo(person.email) };
    },
    team: async () => expectSuccess<Team>(await api.get(`/shops/${shopId}/team`, byOwner)),
  };
}
