import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import sharp from 'sharp';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { anImage, aPng, uploadImage } from '../support/images.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Image {
  readonly id: string;
  readonly url: string;
}

const LONG_AGO = new Date('2026-01-01T00:00:00Z');

let app: TestApp;
let records: Records;
let shop: TestShop;

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 100 }, env: { QUOTAS: 'imagesPerShop=30' } });
  records = await recordsOf(app);
  shop = await aShop(app.api);
});
afterAll(async () => {
  await records.close();
  await app.close();
});

const at = (id = ''): string => `/images/${shop.shopId}${id === '' ? '' : `/${id}`}`;
const upload = (bytes: Buffer, type?: string): Promise<Response> =>
  uploadImage(app.api, shop.shopId, bytes, { token: shop.owner.token }, type);
const readFile = (id: string, query = ''): Promise<Response> =>
  app.api.get(`/images/public/${shop.shopId}/${id}${query}`);
const pathOf = (url: string): string => new URL(url).pathname.replace('/api/v2', '');

describe('POST /images/{shopId}', () => {
  it('keeps an image in three sizes that everybody can read and cache for ever', async () => {
    const image = expectSuccess<Image>(await upload(await aPng(1_600, 800)), 'Image uploaded');
    expect(image).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      url: expect.stringMatching(new RegExp(`/api/v2/images/public/${shop.shopId}/${image.id}$`)),
      width: 1_280,
      height: 640,
      bytes: expect.any(Number),
      createdAt: anInstant,
    });
    for (const [query, width] of Object.entries({ '': 1_280, '?w=1280': 1_280, '?w=640': 640, '?w=320': 320 })) {
      const file = await app.api.get(`${pathOf(image.url)}${query}`);
      expect((await sharp(file.body as Buffer).metadata()).width).toBe(width);
      expect({ status: file.status, headers: file.headers }).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'image/webp',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
        },
      });
    }
    expectError(await readFile(image.id, '?w=99'), 400, /w must be one of/);
  });

  it('returns the same record for the same image, and lists it once', async () => {
    const bytes = await aPng();
    const first = expectSuccess<Image>(await upload(bytes));
    expect(expectSuccess(await upload(bytes))).toEqual(first);
    const [newest, next] = expectSuccess<Image[]>(await app.api.get(`${at()}?limit=2`, { token: shop.owner.token }));
    expect(newest).toEqual(first);
    expect(next?.id).not.toBe(first.id);
  });

  it('returns the same record for the same image that is uploaded twice at once', async () => {
    for (let round = 0; round < 10; round++) {
      const bytes = await aPng();
      const [one, other] = await Promise.all([upload(bytes), upload(bytes)]);
      expect(expectSuccess(one)).toEqual(expectSuccess(other));
    }
  });

  it('keeps no location of a photo', async () => {
    const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } };
    const photo = await sharp(await aPng(64, 64))
      .withExif(place)
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const { id } = expectSuccess<Image>(await upload(photo, 'image/jpeg'));
    const { exif, xmp, icc } = await sharp((await readFile(id)).body as Buffer).metadata();
    expect([exif, xmp, icc]).toEqual([undefined, undefined, undefined]);
  });

  it('rejects what is no image, whatever it claims to be', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    expectError(await upload(svg), 400, 'The body must be a PNG, JPEG or WebP image');
    expectError(await upload(svg, 'image/svg+xml'), 415, 'Send the image as image/png, image/jpeg or image/webp');
    expectError(await upload(Buffer.from('{}'), 'application/json'), 415, /^Send the image as/);
    expectError(await upload((await aPng()).subarray(0, 60)), 400, 'The image is damaged, or it cannot be decoded');
    expectError(await upload(Buffer.alloc(0)), 400, 'The body must be a PNG, JPEG or WebP image');
    expectError(await upload(Buffer.alloc(5 * 2 ** 20 + 1)), 413, 'The body is too large');
  });

  it('reads no body of a caller who may not upload', async () => {
    const { key } = await aKey(app.api, shop, 'storefront');
    const large = Buffer.alloc(2 ** 20);
    expectError(await uploadImage(app.api, shop.shopId, large, {}), 401, 'Authentication is missing or invalid');
    expectError(await uploadImage(app.api, shop.shopId, large, { key }), 403, /./);
  });

  it('lets one person send two images at once', async () => {
    const image = await aPng(600, 600);
    const sent = await Promise.all(Array.from({ length: 8 }, () => upload(image)));
    const statuses = new Set(sent.map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true);
    expect(sent.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
  });

  it('rejects one more than the quota of the shop', async () => {
    const small = await aShop(app.api, {});
    const token = small.owner.token;
    await records.db.collection('images').insertMany(
      Array.from({ length: 29 }, (_, index) => ({
        ...{ shopId: idOf(small.shopId), hash: `${index}`, width: 1, height: 1, bytes: 1, state: 'stored' },
        ...{ unusedSince: null, checkAt: new Date('2099-01-01'), createdAt: LONG_AGO, createdBy: 'user:x' },
      })),
    );
    const both = await Promise.all(
      [aPng(), aPng()].map(async (png) => uploadImage(app.api, small.shopId, await png, { token })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('DELETE /images/{shopId}/{imageId}', () => {
  it('removes an image with its files', async () => {
    const id = await anImage(app.api, shop);
    expect(expectSuccess(await app.api.delete(at(id), { token: shop.owner.token }), 'Image deleted')).toMatchObject({
      id,
    });
    expectError(await readFile(id), 404, 'There is no such image');
    expectError(await app.api.delete(at(id), { token: shop.owner.token }), 404, 'There is no such image');
    expect(await records.db.collection('image_files').countDocuments({ hash: id })).toBe(0);
    expect(await records.db.collection('images').countDocuments({ hash: id })).toBe(0);
  });

  it('leaves the same image of another shop', async () => {
    const [bytes, other] = [await aPng(), await aShop(app.api)];
    const { id } = expectSuccess<Image>(await upload(bytes));
    expectSuccess(await uploadImage(app.api, other.shopId, bytes, { token: other.owner.token }));
    expectSuccess(await app.api.delete(at(id), { token: shop.owner.token }));
    expectError(await readFile(id), 404, 'There is no such image');
    expect((await app.api.get(`/images/public/${other.shopId}/${id}`)).status).toBe(200);
  });

  it('rejects an id that is none', async () => {
    const rejected = await app.api.delete(at('abc'), { token: shop.owner.token });
    expectError(rejected, 400, 'The id of an image in the path has 64 hexadecimal digits in lower case');
  });
});

describe('The job unused-images', () => {
  const due = (id: string, change: object): Promise<unknown> =>
    records.db.collection('images').updateOne({ hash: id }, { $set: { checkAt: LONG_AGO, ...change } });
  const recordOf = (id: string) => records.db.collection('images').findOne({ hash: id });

  it('removes an image that nothing has used for a week, an interrupted upload, and the rest of a removal', async () => {
    const ids = [await anImage(app.api, shop), await anImage(app.api, shop), await anImage(app.api, shop)];
    const states = ['stored', 'pending', 'removing'];
    for (const [index, id] of ids.entries()) await due(id, { unusedSince: LONG_AGO, state: states[index] });
    await eventually(async () => (await records.db.collection('images').countDocuments({ hash: { $in: ids } })) === 0);
    expect(await records.db.collection('image_files').countDocuments({ hash: { $in: ids } })).toBe(0);
  });

  it('keeps an image whose week is not over, and one that was uploaded again', async () => {
    const [kept, gone] = [await anImage(app.api, shop), await anImage(app.api, shop)];
    const bytes = await aPng();
    const { id: renewed } = expectSuccess<Image>(await upload(bytes));
    await records.db.collection('images').updateOne({ hash: renewed }, { $set: { unusedSince: LONG_AGO } });
    expectSuccess(await upload(bytes));
    await due(kept, { unusedSince: new Date() });
    await due(renewed, {});
    await due(gone, { unusedSince: LONG_AGO });
    await eventually(async () => (await recordOf(gone)) === null);
    for (const id of [kept, renewed]) {
      await eventually(async () => ((await recordOf(id))?.['checkAt'] as Date) > new Date(Date.now() + 6 * 86_400_000));
      expect((await readFile(id)).status).toBe(200);
    }
  });
});
