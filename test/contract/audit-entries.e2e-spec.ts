import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { payWithTest } from '../payments/paid-orders.js';
import { payment, aWebhook, sendCustom, type TestWebhook } from '../payments/senders.js';
import {
  aCategory,
  aKey,
  anOrder,
  aPerson,
  aProduct,
  aServer,
  aShop,
  type TestShop,
  unique,
} from '../support/actors.js';
import { type Method } from '../support/client.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { expectSuccess } from '../support/envelope.js';
import { anImage } from '../support/images.js';
import { inDatabase } from '../support/in-database.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { aTeammate } from '../team/team-actors.js';

interface Entry {
  readonly id: string;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly action: string;
  readonly subjectId: string | null;
}

/** Who makes a write, as the audit log names it. */
type Actor = 'owner' | 'teammate' | 'buyer' | 'provider';

/** A write: its operation, the action that the log must have, the caller, and the call. It returns the id of the record. */
type Write = readonly [operation: string, action: string, actor: Actor, call: () => Promise<string | null>];

/** Operations that write nothing to a shop. */
const WRITE_NOTHING =
  /^(?!get \/orders\/.*\/export$)(get|head) |^post \/auth\/|^(patch|delete|put) \/auth\/|^post \/discounts\/\{shopId\}\/validate|^post \/servers\/\{shopId\}\/\{serverId\}\/heartbeat|^post \/deliveries\/\{shopId\}\/lease|^post \/checkout\/\{shopId\}\/quote|nickname\/request$|orders\/public\/links$|\/check$/;

let app: TestApp;
let dns: DnsServer;
let receiver: WebhookReceiver;
let shop: TestShop;
let token: string;
let key: { id: string; key: string };
let webhook: TestWebhook;
/** The ids of records that earlier writes created, for later ones. */
const made: Record<string, string> = {};

beforeAll(async () => {
  dns = await startDnsServer();
  receiver = await startWebhookReceiver();
  const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' };
  app = await startTestApp({ env, config: { dnsServers: [dns.address] } });
  shop = await aShop(app.api);
  token = shop.owner.token;
});
afterAll(async () => {
  await app.close();
  await dns.close();
  await receiver.close();
});

const newest = async (): Promise<Entry[]> =>
  expectSuccess<Entry[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=3`, { token }));

const write = async <Data = { id: string }>(method: Method, path: string, body?: object, as = token): Promise<Data> =>
  expectSuccess<Data>(await app.api.call(method, path, { token: as, ...(body === undefined ? {} : { body }) }));

/** The id of the record of an image. */
const imageRecord = (hash: string): Promise<string> =>
  inDatabase(app, async (database) => String((await database.collection('images').findOne({ hash }))?._id));

/** Invites a person. Returns the token of the email. */
const invite = async (email: string): Promise<{ id: string; invitation: string }> => {
  const { id } = await write('post', `/shops/${shop.shopId}/team/invitations`, { email, role: 'analyst' });
  const [invitation = ''] = await app.mailbox.next(email, /shi_[A-Za-z0-9_-]{43}/);
  return { id, invitation };
};

const hook = (): string => `/webhooks/${shop.shopId}/${made['webhook'] ?? ''}`;

/** What a snapshot of the catalogue consists of, read without it, and its revision. */
const sold = (): Promise<{ contents: string; revision: string | undefined }> =>
  inDatabase(app, async (database) => {
    const shopId = new ObjectId(shop.shopId);
    const all = (name: string, projection: Record<string, 0 | 1>): Promise<unknown[]> =>
      database.collection(name).find({ shopId }, { projection }).sort({ _id: 1 }).toArray();
    const contents = [
      await all('products', {}),
      await all('categories', { revision: 0 }),
      await all('game_servers', {
        heartbeat: 0,
        seenAt: 0,
        problem: 0,
        announced: 0,
        deliveriesEndAt: 0,
        medianSeconds: 0,
        timesDueAt: 0,
      }),
      await all('sales', { announces: 0 }),
      await all('tier_groups', {}),
      await all('payment_providers', { provider: 1, enabled: 1, credentialNames: 1 }),
    ];
    const record = await database.collection('shops').findOne({ _id: shopId });
    return { contents: JSON.stringify(contents), revision: record?.['catalogueRevision'] as string | undefined };
  });

/** What a player has. */
async function anEntitlement(): Promise<{ id: string; orderId: string }> {
  const owned = await app.api.get(`/entitlements/${shop.shopId}`, { token });
  const found = expectSuccess<{ id: string; orderId: string; state: string }[]>(owned);
  return found.find(({ state }) => state === 'active') ?? { id: '', orderId: '' };
}

/** Every operation that writes to a shop, in an order in which each succeeds. */
function writes(): Write[] {
  const at = `/shops/${shop.shopId}`;
  const [discounts, team] = [`/discounts/${shop.shopId}`, `${at}/team`];
  return [
    [
      'patch /shops/{shopId}',
      'shop.updated',
      'owner',
      async () => (await write('patch', at, { displayName: 'New' }), null),
    ],
    ['delete /shops/{shopId}', 'shop.deactivated', 'owner', async () => (await write('delete', at), null)],
    [
      'post /shops/{shopId}/reactivate',
      'shop.reactivated',
      'owner',
      async () => (await write('post', `${at}/reactivate`, {}), null),
    ],
    [
      'put /shops/{shopId}/domain',
      'domain.claimed',
      'owner',
      async () => {
        const hostname = `${unique()}.example.com`;
        const { domain } = await write<{ domain: { txtRecord: { name: string; value: string } } }>(
          'put',
          `${at}/domain`,
          { hostname },
        );
        dns.publish(domain.txtRecord.name, [domain.txtRecord.value]);
        return null;
      },
    ],
    [
      'post /shops/{shopId}/domain/verify',
      'domain.verified',
      'owner',
      async () => (await write('post', `${at}/domain/verify`, {}), null),
    ],
    [
      'delete /shops/{shopId}/domain',
      'domain.removed',
      'owner',
      async () => (await write('delete', `${at}/domain`), null),
    ],
    [
      'post /shops/{shopId}/team/invitations',
      'member.invited',
      'owner',
      async () => {
        made['invitation'] = (await invite(`a-${unique()}@example.com`)).id;
        return made['invitation'];
      },
    ],
    [
      'delete /shops/{shopId}/team/invitations/{invitationId}',
      'invitation.revoked',
      'owner',
      async () => {
        await write('delete', `${team}/invitations/${made['invitation'] ?? ''}`);
        return made['invitation'] ?? null;
      },
    ],
    [
      'patch /shops/{shopId}/team/{memberId}',
      'member.role_changed',
      'owner',
      async () => {
        const { id } = await aTeammate(app, shop, 'manager');
        made['member'] = id;
        await write('patch', `${team}/${id}`, { role: 'support' });
        return id;
      },
    ],
    [
      'delete /shops/{shopId}/team/{memberId}',
      'member.removed',
      'owner',
      async () => {
        await write('delete', `${team}/${made['member'] ?? ''}`);
        return made['member'] ?? null;
      },
    ],
    [
      'post /products/{shopId}',
      'product.created',
      'owner',
      async () => (made['product'] = await aProduct(app.api, shop)),
    ],
    [
      'patch /products/{shopId}/{productId}',
      'product.updated',
      'owner',
      async () => (await write('patch', `/products/${shop.shopId}/${made['product'] ?? ''}`, { name: 'New' })).id,
    ],
    [
      'patch /products/{shopId}',
      'product.updated',
      'owner',
      async () => {
        const productId = made['product'] ?? '';
        await write('patch', `/products/${shop.shopId}`, { products: [{ productId, position: 7 }] });
        return productId;
      },
    ],
    [
      'delete /products/{shopId}/{productId}',
      'product.deleted',
      'owner',
      async () => (await write('delete', `/products/${shop.shopId}/${made['product'] ?? ''}`)).id,
    ],
    [
      'post /categories/{shopId}',
      'category.created',
      'owner',
      async () => (made['category'] = await aCategory(app.api, shop)),
    ],
    [
      'patch /categories/{shopId}/{categoryId}',
      'category.updated',
      'owner',
      async () => (await write('patch', `/categories/${shop.shopId}/${made['category'] ?? ''}`, { name: 'New' })).id,
    ],
    [
      'delete /categories/{shopId}/{categoryId}',
      'category.deleted',
      'owner',
      async () => (await write('delete', `/categories/${shop.shopId}/${made['category'] ?? ''}`)).id,
    ],
    ['post /servers/{shopId}', 'server.created', 'owner', async () => (made['server'] = await aServer(app.api, shop))],
    [
      'patch /servers/{shopId}/{serverId}',
      'server.updated',
      'owner',
      async () => (await write('patch', `/servers/${shop.shopId}/${made['server'] ?? ''}`, { name: 'New' })).id,
    ],
    [
      'post /servers/{shopId}/{serverId}/connect-code',
      'server.connect_code_created',
      'owner',
      async () => {
        await write('post', `/servers/${shop.shopId}/${made['server'] ?? ''}/connect-code`);
        return made['server'] ?? null;
      },
    ],
    [
      'post /agent/connect',
      'api_key.created',
      'owner',
      async () => {
        const path = `/servers/${shop.shopId}/${made['server'] ?? ''}/connect-code`;
        const { code } = await write<{ code: string }>('post', path);
        return expectSuccess<{ keyId: string }>(await app.api.post('/agent/connect', { code })).keyId;
      },
    ],
    [
      'delete /servers/{shopId}/{serverId}',
      'server.deleted',
      'owner',
      async () => (await write('delete', `/servers/${shop.shopId}/${made['server'] ?? ''}`)).id,
    ],
    [
      'post /images/{shopId}',
      'image.uploaded',
      'owner',
      async () => {
        made['image'] = await anImage(app.api, shop);
        return imageRecord(made['image']);
      },
    ],
    [
      'delete /images/{shopId}/{imageId}',
      'image.deleted',
      'owner',
      async () => {
        const id = await imageRecord(made['image'] ?? '');
        await write('delete', `/images/${shop.shopId}/${made['image'] ?? ''}`);
        return id;
      },
    ],
    [
      'post /tier-groups/{shopId}',
      'tier_group.created',
      'owner',
      async () => {
        const productIds = [await aProduct(app.api, shop), await aProduct(app.api, shop)];
        made['group'] = (await write('post', `/tier-groups/${shop.shopId}`, { name: 'Ranks', productIds })).id;
        return made['group'];
      },
    ],
    [
      'patch /tier-groups/{shopId}/{groupId}',
      'tier_group.updated',
      'owner',
      async () => (await write('patch', `/tier-groups/${shop.shopId}/${made['group'] ?? ''}`, { name: 'Tiers' })).id,
    ],
    [
      'delete /tier-groups/{shopId}/{groupId}',
      'tier_group.deleted',
      'owner',
      async () => (await write('delete', `/tier-groups/${shop.shopId}/${made['group'] ?? ''}`)).id,
    ],
    [
      'post /sales/{shopId}',
      'sale.created',
      'owner',
      async () => {
        const sale = { name: 'Summer', type: 'percent', value: 5, startsAt: '2099-06-01T00:00:00.000Z' };
        made['sale'] = (await write('post', `/sales/${shop.shopId}`, sale)).id;
        return made['sale'];
      },
    ],
    [
      'patch /sales/{shopId}/{saleId}',
      'sale.updated',
      'owner',
      async () => (await write('patch', `/sales/${shop.shopId}/${made['sale'] ?? ''}`, { value: 6 })).id,
    ],
    [
      'delete /sales/{shopId}/{saleId}',
      'sale.deleted',
      'owner',
      async () => (await write('delete', `/sales/${shop.shopId}/${made['sale'] ?? ''}`)).id,
    ],
    [
      'post /discounts/{shopId}',
      'discount.created',
      'owner',
      async () => {
        made['discount'] = (await write('post', discounts, { code: `A${unique()}`, type: 'percent', value: 5 })).id;
        return made['discount'];
      },
    ],
    [
      'patch /discounts/{shopId}/{discountId}',
      'discount.updated',
      'owner',
      async () => (await write('patch', `${discounts}/${made['discount'] ?? ''}`, { value: 6 })).id,
    ],
    [
      'delete /discounts/{shopId}/{discountId}',
      'discount.deleted',
      'owner',
      async () => {
        await write('delete', `${discounts}/${made['discount'] ?? ''}`);
        return made['discount'] ?? null;
      },
    ],
    [
      'post /api-keys',
      'api_key.created',
      'owner',
      async () => {
        key = await aKey(app.api, shop);
        return key.id;
      },
    ],
    [
      'patch /api-keys/{keyId}',
      'api_key.updated',
      'owner',
      async () => (await write('patch', `/api-keys/${key.id}`, { name: 'B' })).id,
    ],
    [
      'put /api-keys/{keyId}/restrictions',
      'api_key.updated',
      'owner',
      async () =>
        (await write('put', `/api-keys/${key.id}/restrictions`, { serverIds: null, ipAllowlist: ['127.0.0.1'] })).id,
    ],
    [
      'post /api-keys/{keyId}/rotate',
      'api_key.rotated',
      'owner',
      async () => (await write('post', `/api-keys/${key.id}/rotate`, { graceSeconds: 0 })).id,
    ],
    [
      'delete /api-keys/{keyId}',
      'api_key.revoked',
      'owner',
      async () => (await write('delete', `/api-keys/${key.id}`), key.id),
    ],
    [
      'delete /shops/{shopId}/api-keys/{keyId}',
      'api_key.revoked',
      'owner',
      async () => {
        const { id } = await aKey(app.api, shop);
        await write('delete', `${at}/api-keys/${id}`);
        return id;
      },
    ],
    [
      'put /payments/{shopId}/providers/{provider}',
      'payment_provider.configured',
      'owner',
      async () => {
        webhook = await aWebhook(app.api, shop, 'custom');
        return 'any';
      },
    ],
    [
      'post /checkout/{shopId}/orders',
      'order.created',
      'buyer',
      async () => {
        const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
        const order = await anOrder(app.api, shop.shopId, orderRequest);
        Object.assign(made, {
          server: orderRequest.serverId,
          product: orderRequest.productId,
          order: order.id,
          email: order.email,
          total: String(order.total),
        });
        return order.id;
      },
    ],
    [
      'post /orders/public/{orderId}/nickname/change',
      'order.nickname_changed',
      'buyer',
      async () => {
        const path = `/orders/public/${made['order'] ?? ''}/nickname`;
        expectSuccess(await app.api.post(`${path}/request`, {}));
        const [verificationCode] = await app.mailbox.next(made['email'] ?? '', /^\d{8}$/m);
        expectSuccess(await app.api.post(`${path}/change`, { verificationCode, newNickname: 'Alex_42' }));
        return made['order'] ?? null;
      },
    ],
    [
      'post /bans/{shopId}',
      'ban.created',
      'owner',
      async () => {
        made['ban'] = (await write('post', `/bans/${shop.shopId}`, { nickname: 'Griefer', reason: 'Griefing' })).id;
        return made['ban'];
      },
    ],
    [
      'put /buyers/{shopId}/{key}/note',
      'buyer.note_changed',
      'owner',
      async () => {
        const profile = { key: 'b'.repeat(24), kind: 'player', name: 'steve_42', nickname: 'Steve_42', email: null };
        const sums = { orders: 1, paidOrders: 0, money: {}, lastOrderAt: new Date(), note: null };
        const shopId = new ObjectId(shop.shopId);
        await inDatabase(app, (db) => db.collection('buyer_profiles').insertOne({ ...profile, ...sums, shopId }));
        await write('put', `/buyers/${shop.shopId}/${profile.key}/note`, { note: 'Friendly' });
        return profile.key;
      },
    ],
    [
      'post /buyers/{shopId}/export',
      'buyer.exported',
      'owner',
      async () => (await write('post', `/buyers/${shop.shopId}/export`, { nickname: 'Griefer' }), null),
    ],
    [
      'post /buyers/{shopId}/erase',
      'buyer.erased',
      'owner',
      async () => {
        await write('post', `/buyers/${shop.shopId}/erase`, { nickname: 'Griefer', reason: 'A letter' });
        return null;
      },
    ],
    [
      'delete /bans/{shopId}/{banId}',
      'ban.deleted',
      'owner',
      async () => (await write('delete', `/bans/${shop.shopId}/${made['ban'] ?? ''}`)).id,
    ],
    [
      'post /orders/{shopId}/{orderId}/nickname',
      'order.nickname_changed',
      'owner',
      async () => {
        const path = `/orders/${shop.shopId}/${made['order'] ?? ''}/nickname`;
        const { orderId } = await write<{ orderId: string }>('post', path, { newNickname: 'Eve_1', reason: 'Asked' });
        return orderId;
      },
    ],
    [
      'post /orders/{shopId}/{orderId}/cancel',
      'order.cancelled',
      'owner',
      async () => {
        const orderRequest = { productId: made['product'] ?? '', serverId: made['server'] ?? '' };
        const other = await anOrder(app.api, shop.shopId, orderRequest);
        return (await write('post', `/orders/${shop.shopId}/${other.id}/cancel`, { reason: 'Asked' })).id;
      },
    ],
    [
      'post /orders/{shopId}/{orderId}/notes',
      'order.note_added',
      'owner',
      async () => (await write('post', `/orders/${shop.shopId}/${made['order'] ?? ''}/notes`, { text: 'Asked' })).id,
    ],
    [
      'get /orders/{shopId}/export',
      'orders.exported',
      'owner',
      async () => {
        expect((await app.api.get(`/orders/${shop.shopId}/export`, { token })).status).toBe(200);
        return null;
      },
    ],
    [
      'post /orders/{shopId}/{orderId}/resolve',
      'order.payment_reviewed',
      'owner',
      async () => {
        const orderRequest = { productId: made['product'] ?? '', serverId: made['server'] ?? '' };
        const other = await anOrder(app.api, shop.shopId, orderRequest);
        expectSuccess(await sendCustom(app.api, webhook, payment(other, { amount: 0.01 })));
        const path = `/orders/${shop.shopId}/${other.id}/resolve`;
        return (await write('post', path, { decision: 'reject', reason: 'Too little' })).id;
      },
    ],
    [
      'post /orders/public/{orderId}/payment',
      'order.payment_started',
      'buyer',
      async () => {
        const orderRequest = { productId: made['product'] ?? '', serverId: made['server'] ?? '' };
        const other = await anOrder(app.api, shop.shopId, orderRequest);
        await aWebhook(app.api, shop, 'test');
        const headers = { 'X-Order-Token': other.accessToken };
        expectSuccess(await app.api.post(`/orders/public/${other.id}/payment`, { provider: 'test' }, { headers }));
        return other.id;
      },
    ],
    [
      'post /payments/webhooks/{provider}/{shopId}/{webhookSecret}',
      'order.payment_changed',
      'provider',
      async () => {
        const order = { id: made['order'] ?? '', total: Number(made['total']) };
        expectSuccess(await sendCustom(app.api, webhook, payment(order as Parameters<typeof payment>[0])));
        return order.id;
      },
    ],
    [
      'post /payments/{shopId}/{orderId}/refund',
      'order.refund_requested',
      'owner',
      async () => {
        const order = await anOrder(app.api, shop.shopId, {
          productId: made['product'] ?? '',
          serverId: made['server'] ?? '',
        });
        await payWithTest(app.api, order);
        await write('post', `/payments/${shop.shopId}/${order.id}/refund`, { reason: 'Bought twice' });
        return order.id;
      },
    ],
    [
      'post /payments/{shopId}/events/{eventId}/replay',
      'payment_event.replayed',
      'owner',
      async () => {
        const events = `/payments/${shop.shopId}/events`;
        const [event] = expectSuccess<{ id: string }[]>(await app.api.get(events, { token }));
        return (await write('post', `${events}/${event?.id ?? ''}/replay`)).id;
      },
    ],
    [
      'post /webhooks/{shopId}',
      'webhook.created',
      'owner',
      async () => {
        const body = { url: receiver.url, events: ['order.paid'] };
        made['webhook'] = (await write('post', `/webhooks/${shop.shopId}`, body)).id;
        return made['webhook'];
      },
    ],
    [
      'patch /webhooks/{shopId}/{webhookId}',
      'webhook.updated',
      'owner',
      async () => (await write('patch', hook(), { isActive: false })).id,
    ],
    [
      'post /webhooks/{shopId}/{webhookId}/rotate-secret',
      'webhook.secret_rotated',
      'owner',
      async () => (await write('post', `${hook()}/rotate-secret`, {})).id,
    ],
    [
      'post /webhooks/{shopId}/{webhookId}/test',
      'webhook.tested',
      'owner',
      async () => {
        const { id } = await write('post', `${hook()}/test`);
        const ended = async (): Promise<boolean> => {
          const listed = await app.api.get(`${hook()}/deliveries?state=delivered`, { token });
          return expectSuccess<object[]>(listed).length === 1;
        };
        await eventually(ended);
        made['delivery'] = id;
        await write('patch', hook(), { isActive: true });
        await write('post', `${hook()}/test`);
        return made['webhook'] ?? null;
      },
    ],
    [
      'post /webhooks/{shopId}/{webhookId}/deliveries/{deliveryId}/replay',
      'webhook.replayed',
      'owner',
      async () => {
        await write('post', `${hook()}/deliveries/${made['delivery'] ?? ''}/replay`);
        return made['webhook'] ?? null;
      },
    ],
    [
      'post /webhooks/{shopId}/{webhookId}/deliveries/replay',
      'webhook.replayed',
      'owner',
      async () => {
        const time = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
        await write('post', `${hook()}/deliveries/replay`, time);
        return made['webhook'] ?? null;
      },
    ],
    [
      'delete /webhooks/{shopId}/{webhookId}',
      'webhook.deleted',
      'owner',
      async () => (await write('delete', hook())).id,
    ],
    [
      'post /stats/{shopId}/rebuild',
      'stats.rebuild_started',
      'owner',
      async () => {
        await write('post', `/stats/${shop.shopId}/rebuild`, {});
        return null;
      },
    ],
    [
      'post /deliveries/{shopId}/ack',
      'order.delivery_changed',
      'owner',
      async () => {
        const leased = await write<{ deliveries: { deliveryId: string; orderId: string }[] }>(
          'post',
          `/deliveries/${shop.shopId}/lease`,
          { serverId: made['server'] },
        );
        const results = leased.deliveries.map(({ deliveryId }) => ({ deliveryId, attempt: 1, status: 'delivered' }));
        await write('post', `/deliveries/${shop.shopId}/ack`, { results });
        return made['order'] ?? null;
      },
    ],
    [
      'post /entitlements/{shopId}/{entitlementId}/transfer',
      'order.entitlement_transferred',
      'owner',
      async () => {
        const { id, orderId } = await anEntitlement();
        await write('post', `/entitlements/${shop.shopId}/${id}/transfer`, {
          nickname: 'Alex_42',
          runCommands: false,
          reason: 'Sold the account',
        });
        return orderId;
      },
    ],
    [
      'post /orders/{shopId}/{orderId}/redeliver',
      'order.redelivered',
      'owner',
      async () => {
        const path = `/orders/${shop.shopId}/${made['order'] ?? ''}/redeliver`;
        return (await write('post', path, { reason: 'The server had crashed' })).id;
      },
    ],
    [
      'post /deliveries/{shopId}/redeliver',
      'order.redelivered',
      'owner',
      async () => {
        const [leased] = (
          await write<{ deliveries: { deliveryId: string; orderId: string; attempt: number }[] }>(
            'post',
            `/deliveries/${shop.shopId}/lease`,
            { serverId: made['server'] },
          )
        ).deliveries;
        const { deliveryId = '', orderId = null, attempt = 0 } = leased ?? {};
        await write('post', `/deliveries/${shop.shopId}/ack`, { results: [{ deliveryId, attempt, status: 'failed' }] });
        await write('post', `/deliveries/${shop.shopId}/redeliver`, { reason: 'Again', deliveryIds: [deliveryId] });
        return orderId;
      },
    ],
    [
      'post /orders/{shopId}/{orderId}/deliveries/{deliveryId}/decide',
      'delivery.decided',
      'owner',
      async () => {
        const [leased] = (
          await write<{ deliveries: { deliveryId: string; orderId: string; attempt: number }[] }>(
            'post',
            `/deliveries/${shop.shopId}/lease`,
            { serverId: made['server'] },
          )
        ).deliveries;
        const { deliveryId = '', orderId = null, attempt = 0 } = leased ?? {};
        const results = [{ deliveryId, attempt, status: 'uncertain' }];
        await write('post', `/deliveries/${shop.shopId}/ack`, { results });
        const body = { outcome: 'failed', reason: 'Asked the player' };
        await write('post', `/orders/${shop.shopId}/${orderId ?? ''}/deliveries/${deliveryId}/decide`, body);
        return orderId;
      },
    ],
    [
      'post /entitlements/{shopId}/{entitlementId}/end',
      'order.entitlement_ended',
      'owner',
      async () => {
        const { id, orderId } = await anEntitlement();
        await write('post', `/entitlements/${shop.shopId}/${id}/end`, { reason: 'Sold the account' });
        return orderId;
      },
    ],
    [
      'post /orders/{shopId}',
      'order.placed_by_staff',
      'owner',
      async () => {
        const items = [{ productId: made['product'], quantity: 1 }];
        const body = { items, serverId: made['server'], nickname: 'Steve_42', kind: 'grant', reason: 'Won' };
        const headers = { 'Idempotency-Key': `grant-${unique()}-1234567890` };
        return expectSuccess<{ id: string }>(await app.api.post(`/orders/${shop.shopId}`, body, { token, headers })).id;
      },
    ],
    [
      'post /orders/public/{orderId}/withdrawal',
      'order.withdrawal_requested',
      'buyer',
      async () => {
        const orderRequest = { productId: made['product'] ?? '', serverId: made['server'] ?? '' };
        const other = await anOrder(app.api, shop.shopId, orderRequest);
        expectSuccess(await sendCustom(app.api, webhook, payment(other)));
        const headers = { 'X-Order-Token': other.accessToken };
        expectSuccess(await app.api.post(`/orders/public/${other.id}/withdrawal`, { name: 'Robin' }, { headers }));
        return other.id;
      },
    ],
    [
      'post /payments/{shopId}/providers/{provider}/rotate-secret',
      'payment_provider.secret_rotated',
      'owner',
      async () => {
        await write('post', `/payments/${shop.shopId}/providers/custom/rotate-secret`, { graceSeconds: 0 });
        return 'any';
      },
    ],
    [
      'delete /payments/{shopId}/providers/{provider}',
      'payment_provider.removed',
      'owner',
      async () => {
        await write('delete', `/payments/${shop.shopId}/providers/custom`);
        return 'any';
      },
    ],
    [
      'post /team/invitations/accept',
      'member.joined',
      'teammate',
      async () => {
        const person = await aPerson(app.api);
        const { invitation } = await invite(person.email);
        Object.assign(made, { teammate: person.userId, teammateToken: person.token });
        await write('post', '/team/invitations/accept', { token: invitation }, person.token);
        return 'any';
      },
    ],
    [
      'delete /shops/{shopId}/team/me',
      'member.left',
      'teammate',
      async () => {
        await write('delete', `${team}/me`, undefined, made['teammateToken']);
        return 'any';
      },
    ],
    [
      'post /team/invitations/decline',
      'member.declined',
      'teammate',
      async () => {
        const person = await aPerson(app.api);
        const { invitation } = await invite(person.email);
        made['teammate'] = person.userId;
        await write('post', '/team/invitations/decline', { token: invitation }, person.token);
        return 'any';
      },
    ],
    // Last: the owner is only an admin afterwards.
    [
      'post /shops/{shopId}/team/{memberId}/transfer-ownership',
      'ownership.transferred',
      'owner',
      async () => {
        const { id } = await aTeammate(app, shop, 'admin');
        await write('post', `${team}/${id}/transfer-ownership`, {});
        return id;
      },
    ],
  ];
}

it('covers every operation that writes to a shop', async () => {
  const document = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, object>> };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace('/api/v2', '')}`),
  );
  const expected = operations.filter((operation) => !WRITE_NOTHING.test(operation)).sort();
  // `aShop` creates the shop of this spec, and the next test checks its entry.
  expect([...writes().map(([operation]) => operation), 'post /shops'].sort()).toEqual(expected);
});

it('writes the first entry when a shop is created', async () => {
  const entries = await newest();
  expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([['shop.created', shop.owner.userId]]);
});

it('writes an audit entry for every operation that writes to a shop, with who did it and to what, and raises the revision of the catalogue with each change of it', async () => {
  const actual: unknown[] = [];
  const expected: unknown[] = [];
  const changed: string[] = [];
  const raised: string[] = [];
  for (const [operation, action, actor, call] of writes()) {
    const before = await sold();
    const subject = await call();
    const after = await sold();
    if (before.contents !== after.contents) changed.push(operation);
    if (before.revision !== after.revision) raised.push(operation);
    const entries = await newest();
    // The test provider sends its webhook within the request, so the change of the order comes after the entry of staff.
    const entry = entries.find((one) => one.action === action) ?? entries[0];
    const ids = { owner: shop.owner.userId, teammate: made['teammate'], provider: 'custom', buyer: null };
    actual.push([operation, entry?.action, entry?.actor.id, subject === 'any' ? 'any' : entry?.subjectId]);
    expected.push([operation, action, ids[actor], subject]);
  }
  expect(actual).toEqual(expected);
  expect(raised).toEqual(changed);
  expect(changed).toHaveLength(20);
});

it('keeps the revision of the catalogue when nothing of it changes', async () => {
  const { revision } = await sold();
  const server = made['server'] ?? '';
  await write('post', `/servers/${shop.shopId}/${server}/heartbeat`, { onlinePlayers: 3, maxPlayers: 100 });
  await write('patch', `/servers/${shop.shopId}/${server}`, { game: 'minecraft' });
  await write('patch', `/products/${shop.shopId}/${made['product'] ?? ''}`, { isActive: true });
  expect((await sold()).revision).toBe(revision);
});
