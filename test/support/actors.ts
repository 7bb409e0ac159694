import { randomUUID } from 'node:crypto';
import { type Permission, type Role } from '../../src/domain/principal/permissions.js';
import { TYPE_CEILINGS, type ApiKeyType } from '../../src/access/api-keys/api-key.types.js';
import { type Call, type Client } from './client.js';
import { expectSuccess } from './envelope.js';
import { type TestApp } from './test-app.js';

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
}

export interface TestShop {
  readonly shopId: string;
  readonly uniqueName: string;
  readonly owner: Person;
}

/** A short string that no other spec has. */
export function unique(): string {
  return randomUUID().slice(0, 8);
}

/** Makes an account. */
export async function aPerson(api: Client, name = 'Robin'): Promise<Person> {
  const email = `${name.toLowerCase()}-${unique()}@example.com`;
  const password = 'correct horse battery';
  const { user, accessToken, refreshToken } = expectSuccess<{
    user: { id: string };
    accessToken: string;
    refreshToken: string;
  }>(await api.post('/auth/register', { email, password, name }));
  return { userId: user.id, email, password, token: accessToken, refreshToken };
}

/** Makes a shop with an owner of its own. */
export async function aShop(api: Client, settings: Record<string, unknown> = {}): Promise<TestShop> {
  const owner = await aPerson(api, 'Olivia');
  const uniqueName = `shop-${unique()}`;
  const shop = expectSuccess<{ _id: string }>(
    await api.post(
      '/shops',
      {
        uniqueName,
        displayName: 'Sky Realm',
        currency: 'EUR',
        timezone: 'Europe/Berlin',
        nicknameRule: { preset: 'minecraft-java' },
        ...settings,
      },
      { token: owner.token },
    ),
  );
  return { shopId: shop._id, uniqueName, owner };
}

/** Makes a key of the shop's owner; by default one that holds all that its type may. */
export async function aKey(
  api: Client,
  { shopId, owner }: TestShop,
  type: ApiKeyType = 'secret',
  permissions: readonly Permission[] = TYPE_CEILINGS[type],
): Promise<{ id: string; key: string }> {
  return expectSuccess<{ id: string; key: string }>(
    await api.post('/api-keys', { shopId, name: `${type} key`, type, permissions }, { token: owner.token }),
  );
}

/** Makes a person who joins the shop's team by invitation. */
export async function aMember({ api, mailbox }: TestApp, { shopId, owner }: TestShop, role: Role): Promise<Person> {
  const person = await aPerson(api, role);
  const invitation = { email: person.email, role };
  expectSuccess(await api.post(`/shops/${shopId}/team/invitations`, invitation, { token: owner.token }));
  const [token] = await mailbox.next(person.email, /shi_[A-Za-z0-9_-]{43}/);
  expectSuccess(await api.post('/team/invitations/accept', { token }, { token: person.token }));
  return person;
}

export async function aServer(api: Client, { shopId, owner }: TestShop, body: object = {}): Promise<string> {
  const server = { name: 'Survival', game: 'minecraft', ...body };
  return expectSuccess<{ id: string }>(await api.post(`/servers/${shopId}`, server, { token: owner.token })).id;
}

export async function aProduct(api: Client, { shopId, owner }: TestShop, body: object = {}): Promise<string> {
  const product = { name: 'VIP rank', price: 9.99, commands: ['give {nickname} vip {quantity}'], ...body };
  return expectSuccess<{ id: string }>(await api.post(`/products/${shopId}`, product, { token: owner.token })).id;
}

export async function aCategory(api: Client, { shopId, owner }: TestShop, body: object = {}): Promise<string> {
  const category = { name: 'Ranks', ...body };
  return expectSuccess<{ id: string }>(await api.post(`/categories/${shopId}`, category, { token: owner.token })).id;
}

/** Makes a code and returns the record. */
export async function aDiscount(
  api: Client,
  { shopId, owner }: TestShop,
  body: object = {},
): Promise<{ id: string; code: string }> {
  const discount = { code: `CODE${unique()}`, type: 'percent', value: 10, ...body };
  return expectSuccess<{ id: string; code: string }>(
    await api.post(`/discounts/${shopId}`, discount, { token: owner.token }),
  );
}

export interface TestOrder {
  readonly id: string;
  readonly number: number;
  readonly accessToken: string;
  readonly total: number;
  readonly email: string;
}

/** Checks out as a buyer: one product for one server. */
export async function anOrder(
  api: Client,
  shopId: string,
  { productId, serverId, ...body }: { productId: string; serverId: string } & Record<string, unknown>,
  call: Call = {},
): Promise<TestOrder> {
  const email = `buyer-${unique()}@example.com`;
  const order = expectSuccess<Omit<TestOrder, 'email'>>(
    await api.post(
      `/checkout/${shopId}/orders`,
      { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email, ...body },
      call,
    ),
  );
  return {
    id: order.id,
    number: order.number,
    accessToken: order.accessToken,
    total: order.total,
    email: (body['email'] as string | undefined) ?? email,
  };
}
