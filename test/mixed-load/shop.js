// The shop that the load uses: a person, products, a game server, a discount code, a payment provider and keys.

const PRODUCTS = 20;
const PASSWORD = 'correct horse battery';
const SECRET = ['products:read', 'discounts:validate', 'orders:read', 'orders:write', 'stats:read', 'servers:read'];

/** @param client sends the requests */
export async function openShop(client) {
  const person = { email: 'owner@example.com', password: PASSWORD };
  const post = (path, body, headers) => client.call('POST', path, { body, headers });
  const { accessToken } = await post('/auth/register', { ...person, name: 'Olivia' });
  const owner = { authorization: `Bearer ${accessToken}` };
  const settings = { displayName: 'Sky Realm', currency: 'EUR', timezone: 'Europe/Berlin' };
  const nicknameRule = { preset: 'minecraft-java' };
  const { _id: shopId } = await post('/shops', { uniqueName: 'sky-realm', ...settings, nicknameRule }, owner);
  const { id: serverId } = await post(`/servers/${shopId}`, { name: 'Survival', game: 'minecraft' }, owner);
  const productIds = [];
  for (let number = 1; number <= PRODUCTS; number++) {
    const product = { name: `Rank ${number}`, price: number + 0.99, commands: ['give {nickname} rank {quantity}'] };
    productIds.push((await post(`/products/${shopId}`, product, owner)).id);
  }
  await post(`/discounts/${shopId}`, { code: 'SUMMER10', type: 'percent', value: 10 }, owner);
  const enabled = { body: { enabled: true, credentials: {} }, headers: owner };
  const provider = await client.call('PUT', `/payments/${shopId}/providers/custom`, enabled);
  const key = async (type, permissions) => {
    const { key: secret } = await post('/api-keys', { shopId, name: type, type, permissions }, owner);
    return { 'x-api-key': secret };
  };
  return {
    ...{ shopId, serverId, productIds, person, discountCode: 'SUMMER10' },
    webhook: {
      path: new URL(provider.webhookUrl).pathname.replace('/api/v2', ''),
      signingSecret: provider.signingSecret,
    },
    secretKey: await key('secret', SECRET),
    pluginKey: await key('plugin', ['deliveries:write']),
  };
}
