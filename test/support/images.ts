import { randomBytes } from 'node:crypto';
import { type Response } from 'supertest';
import sharp from 'sharp';
import { type TestShop } from './actors.js';
import { type Call, type Client } from './client.js';
import { expectSuccess } from './envelope.js';

/** A PNG like no other. */
export function aPng(width = 8, height = 8): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** Uploads the bytes of an image, or of something else. */
export function uploadImage(
  api: Client,
  shopId: string,
  bytes: Buffer,
  call: Call,
  type = 'image/png',
): Promise<Response> {
  return api.post(`/images/${shopId}`, bytes, { ...call, headers: { 'Content-Type': type, ...call.headers } });
}

/** Uploads an image as the owner. Returns its id. */
export async function anImage(api: Client, { shopId, owner }: TestShop): Promise<string> {
  const uploaded = await uploadImage(api, shopId, await aPng(), { token: owner.token });
  return expectSuccess<{ id: string }>(uploaded).id;
}
