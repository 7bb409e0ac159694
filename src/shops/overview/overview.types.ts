import { type Permission } from '../../domain/principal/permissions.js';
import { type MinorUnits } from '../../lib/money/money.js';

/**
 * What needs a person: the act that ends it, and the permission of that act; null when it is done outside of the shop, at the game server or by
 * the operator.
 */
export const NEED_KINDS = {
  order_review: { action: 'resolve_review', permission: 'payments:write' },
  order_disputed: { action: 'answer_dispute', permission: 'payments:write' },
  order_withdrawn: { action: 'refund_order', permission: 'payments:write' },
  delivery_failed: { action: 'redeliver', permission: 'orders:write' },
  delivery_uncertain: { action: 'decide_delivery', permission: 'orders:write' },
  server_silent: { action: 'start_server', permission: null },
  server_problem: { action: 'repair_console', permission: null },
  provider_failing: { action: 'configure_provider', permission: 'payments:write' },
  provider_rejected: { action: 'check_provider', permission: 'payments:write' },
  webhook_failing: { action: 'repair_receiver', permission: 'webhooks:write' },
  webhook_disabled: { action: 'activate_webhook', permission: 'webhooks:write' },
  domain_pending: { action: 'verify_domain', permission: 'shops:write' },
  domain_missing: { action: 'publish_record', permission: 'shops:write' },
  mail_refused: { action: 'repair_mail_account', permission: null },
} as const satisfies Record<string, { readonly action: string; readonly permission: Permission | null }>;
export type NeedKind = keyof typeof NEED_KINDS;

/** Something that a person must do. */
export interface Need {
  readonly kind: NeedKind;
  /** The order, game server or webhook by its id, the provider or domain by its name; null: it is about the whole shop. */
  readonly subject: string | null;
  /** What people call the subject. */
  readonly name: string | null;
  /** Why, in one sentence with the facts. */
  readonly reason: string;
  /** Since when; null: not known. */
  readonly since: Date | null;
  /** How many there are of the same. */
  readonly count: number;
}

/** What a new shop needs until it sells, in the order in which it is usually done. Each is a fact that the service reads. */
export const CHECKLIST = ['settings', 'payment_method', 'product', 'server', 'purchase', 'open'] as const;
export type ChecklistStep = (typeof CHECKLIST)[number];

/** Some figures of a time range. Amounts in minor units. */
export interface DayFigures {
  readonly grossRevenue: MinorUnits;
  readonly refunds: MinorUnits;
  readonly netRevenue: MinorUnits;
  readonly orders: number;
  readonly paidOrders: number;
  /** null without a paid order. */
  readonly averageOrderValue: MinorUnits | null;
  readonly uniqueBuyers: number;
}

interface ComparedDay {
  readonly from: Date;
  readonly to: Date;
  readonly figures: DayFigures;
}

/** The sections that features add, each for callers with its permission. */
export interface OverviewSections {
  /** Today until now, and the same hours of the day before and of a week ago, in the time zone of the shop. */
  readonly today: { readonly today: ComparedDay; readonly dayBefore: ComparedDay; readonly weekBefore: ComparedDay };
  /** How many orders need a decision, and how many are disputed. */
  readonly orders: { readonly needsReview: number; readonly disputed: number };
  readonly servers: readonly {
    readonly id: string;
    readonly name: string;
    readonly status: string;
    readonly players: { readonly online: number; readonly max: number } | null;
    readonly lastSeenAt: Date | null;
  }[];
  /** By game server; `serverId` is null for what the first one takes. */
  readonly deliveries: readonly {
    readonly serverId: string | null;
    readonly waiting: number;
    readonly failed: number;
  }[];
  readonly providers: readonly {
    readonly provider: string;
    readonly enabled: boolean;
    readonly canStartPayments: boolean;
    readonly failingSince: Date | null;
    readonly lastEventAt: Date | null;
  }[];
  readonly webhooks: { readonly active: number; readonly failing: number; readonly disabled: number };
  readonly domain: { readonly hostname: string; readonly status: string } | null;
  readonly mail: { readonly destination: string; readonly isRefused: boolean };
}

/** What a feature adds to the overview of a shop. */
export interface Contribution {
  readonly sections?: Partial<OverviewSections>;
  readonly needs?: readonly Need[];
  readonly checklist?: Partial<Record<ChecklistStep, boolean>>;
}

/** The overview of a shop, as one caller may see it. */
export interface Overview {
  readonly currency: string;
  readonly sections: Partial<OverviewSections>;
  readonly needs: readonly (Need & { readonly mayAct: boolean })[];
  readonly checklist: readonly { readonly step: ChecklistStep; readonly isDone: boolean }[];
  /** The names of owners and admins. */
  readonly whoManages: readonly { readonly name: string; readonly role: string }[];
  readonly generatedAt: Date;
}
