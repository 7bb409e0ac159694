import { type Tone } from '../../ui/parts.tsx';

export interface OrderRow {
  readonly id: string;
  readonly number: number;
  readonly origin: string;
  readonly serverId: string | null;
  readonly nickname: string;
  readonly status: 'open' | 'completed' | 'cancelled' | 'expired';
  readonly paymentStatus: string;
  readonly deliveryStatus: string;
  readonly items: readonly {
    readonly productId: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitPrice: number;
    readonly total: number;
  }[];
  readonly subtotal: number;
  readonly discountCode: string | null;
  readonly discountAmount: number;
  readonly total: number;
  readonly currency: string;
  readonly createdAt: string;
  readonly paidAt: string | null;
  readonly email: string | null;
  readonly refundedTotal: number;
}

export interface Delivery {
  readonly id: string;
  readonly orderId: string;
  readonly serverId: string | null;
  readonly kind: 'purchase' | 'take_back' | 'expiry';
  readonly position: number;
  readonly nickname: string;
  readonly requiresOnline: boolean;
  readonly state: string;
  readonly dueAt: string | null;
  readonly commands: readonly string[] | null;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly leasedAt: string;
    readonly result: 'delivered' | 'failed' | null;
    readonly output: string | null;
    readonly acknowledgedAt: string | null;
  }[];
  readonly createdAt: string;
}

export interface Order extends OrderRow {
  readonly history:
    | readonly {
        readonly at: string;
        readonly actor: string;
        readonly actorName: string | null;
        readonly action: string;
        readonly detail: string | null;
      }[]
    | null;
  readonly receivedPayments:
    | readonly {
        readonly provider: string;
        readonly paymentId: string;
        readonly receivedAt: string;
        readonly amount: number;
        readonly currency: string;
        readonly refunded: number;
        readonly chargedBack: number;
        readonly disputed: boolean;
        readonly surplus: number;
      }[]
    | null;
  readonly reviewReasons:
    | readonly {
        readonly code: string;
        readonly message: string;
        readonly amount: number;
        readonly currency: string;
      }[]
    | null;
  readonly deliveries: readonly Delivery[];
}

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
