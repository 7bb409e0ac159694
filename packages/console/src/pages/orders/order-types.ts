import { type Schemas } from '@shop-platform/client';
import { type Tone } from '../../ui/parts.tsx';

export type OrderRow = Schemas['StaffOrderDto'];
export type Order = Schemas['StaffOrderDetailsDto'];
export type Delivery = Schemas['DeliveryDto'];

export const PAYMENT_STATES = [
  'pending',
  'processing',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'charged_back',
  'failed',
  'needs_review',
] as const;
export const DELIVERY_STATES = [
  'none',
  'queued',
  'held',
  'leased',
  'delivered',
  'handed_over',
  'uncertain',
  'failed',
  'revoked',
] as const;

const TONES: Readonly<Record<string, Tone>> = {
  paid: 'good',
  delivered: 'good',
  handed_over: 'good',
  succeeded: 'good',
  processing: 'info',
  authorized: 'info',
  leased: 'info',
  pending: 'ring',
  none: 'ring',
  queued: 'warn',
  held: 'warn',
  needs_review: 'warn',
  partially_refunded: 'warn',
  refunded: 'warn',
  revoked: 'warn',
  uncertain: 'warn',
  disputed: 'bad',
  charged_back: 'bad',
  failed: 'bad',
};

/** Green is done, amber waits for somebody, red failed, blue is on its way. */
export const toneOf = (state: string): Tone => TONES[state] ?? 'ring';
