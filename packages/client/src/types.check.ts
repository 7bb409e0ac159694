import { type Client, type Schemas } from './index.js';

/** Compiled by `npm run check`, and never called. */
export async function calls(client: Client): Promise<[Schemas['StaffOrderDto'][], boolean, Blob]> {
  const orders: Schemas['StaffOrderDto'][] = [];
  const shopId = 's';
  const shop = await client.get('/api/v2/shops/{shopId}', { path: { shopId } });
  const { data } = await client.post('/api/v2/discounts/{shopId}/validate', {
    path: { shopId },
    body: { code: 'SUMMER', orderValue: 10 },
  });
  for await (const order of client.items('/api/v2/orders/{shopId}', { path: { shopId }, query: { status: 'open' } })) {
    orders.push(order);
  }
  await client.patch('/api/v2/shops/{shopId}', {
    path: { shopId },
    body: { displayName: 'Shop' },
    ifMatch: shop.etag,
  });
  await client.post('/api/v2/images/{shopId}', { path: { shopId }, body: new Blob([], { type: 'image/png' }) });
  const csv = await client.get('/api/v2/orders/{shopId}/export', { path: { shopId } });
  // @ts-expect-error a path that does not exist
  await client.get('/api/v2/nothing');
  // @ts-expect-error the shop is missing
  await client.get('/api/v2/shops/{shopId}');
  // @ts-expect-error not a status
  await client.page('/api/v2/orders/{shopId}', { path: { shopId }, query: { status: 'shut' } });
  // @ts-expect-error a path without a list
  client.items('/api/v2/shops/{shopId}', { path: { shopId } });
  // @ts-expect-error no version to compare
  await client.get('/api/v2/shops/{shopId}', { path: { shopId }, ifMatch: '"1"' });
  // @ts-expect-error the client sends the credential
  await client.get('/api/v2/products/public/{shopId}', { path: { shopId }, headers: { 'X-API-Key': 'shp_' } });
  return [orders, data.valid, csv.data];
}
