export const DELIVERY_STATES = [
  'queued',
  'held',
  'leased',
  'delivered',
  // The game server has it, and its way never confirms. It counts as delivered everywhere (`isDone`).
  'handed_over',
  // The commands were sent, and nobody saw what became of them: staff or the plugin decide.
  'uncertain',
  'failed',
  'revoked',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Whether the player counts as having received it. */
export const isDone = (state: DeliveryState | 'none'): state is 'delivered' | 'handed_over' =>
  state === 'delivered' || state === 'handed_over';

/** The purpose of the commands: to give what was bought, to take it back after the money went back, or to end its time. */
export const DELIVERY_KINDS = ['purchase', 'take_back', 'expiry'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/**
 * `extend`: the player owns the item already, so `extendCommands` run when there are any. `upgrade`: it replaces a lower tier that the player has
 * in the game, so `upgradeCommands` do. Every other delivery is `first`.
 */
export const PURCHASE_STAGES = ['first', 'extend', 'upgrade'] as const;
export type PurchaseStage = (typeof PURCHASE_STAGES)[number];

/** What a plugin reports about an attempt. `released`: it has run none of the commands, and gives the delivery back. */
export const ATTEMPT_RESULTS = ['delivered', 'handed_over', 'failed', 'uncertain', 'released'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

/** What a plugin can say about an attempt. `begun` is no result: it is said before the first command, and renews the lease. */
export const ACKNOWLEDGEMENTS = ['begun', ...ATTEMPT_RESULTS] as const;

/** What staff can decide about an uncertain delivery. */
export const DECISIONS = ['delivered', 'failed'] as const;
export type DecidedOutcome = (typeof DECISIONS)[number];

/** How often plugins may take a delivery before it counts as failed. A redelivery starts again. */
export const MAX_ATTEMPTS = 5;

/** Who has the money of an order. `unclear`: it is not paid, or the payment is disputed or needs a review. */
export const MONEY_HOLDERS = ['shop', 'buyer', 'unclear'] as const;
export type MoneyHolder = (typeof MONEY_HOLDERS)[number];

/** The parts of an order that its deliveries are made from. */
export interface DeliverableOrder {
  readonly id: string;
  readonly shopId: string;
  readonly serverId: string | null;
  readonly nickname: string;
  /** Whether the order is a rehearsal, so that plugins can tell; absent: it is not. */
  readonly isRehearsal?: boolean;
  readonly items: readonly {
    readonly quantity: number;
    readonly commandListId: string;
    readonly requiresOnline: boolean;
    /** Whether a refund takes the item back, whatever becomes of the rest of the order. */
    readonly takenBack?: boolean;
  }[];
}

/** The parts of an order that its commands are rendered from. */
export type RenderableOrder = Omit<DeliverableOrder, 'serverId'>;

/** A delivery that is not stored yet. */
export interface NewDelivery {
  readonly orderId: string;
  /** null: the server that leases it first. */
  readonly serverId: string | null;
  readonly kind: DeliveryKind;
  /** Which item of the order it delivers, from 0. */
  readonly position: number;
  readonly nickname: string;
  readonly quantity: number;
  /** The list of its command templates. They are filled in when a plugin leases them. */
  readonly commandListId: string;
  /** Whether its commands work only while the player is on the server. */
  readonly requiresOnline: boolean;
  /** Whether its order is a rehearsal. Its commands run all the same. */
  readonly isRehearsal: boolean;
  /** Which commands of a purchase run. */
  readonly stage: PurchaseStage;
  /** Whether the buyer got the money of the order, or of this item, back, so that what was delivered is revoked. */
  readonly moneyIsBack: boolean;
  /** From when a plugin may lease it. Of a leased delivery: the end of the lease. */
  readonly dueAt: Date;
  readonly createdAt: Date;
}

/** What a plugin must run for one item of an order. */
export interface Delivery extends NewDelivery {
  readonly id: string;
  readonly shopId: string;
  readonly state: DeliveryState;
  /** When the latest report arrived that made it `delivered`, and for which player it ran; null before the first one. */
  readonly deliveredAt: Date | null;
  readonly deliveredTo: string | null;
  /**
   * Of a purchase that staff have transferred to `deliveredTo`: the player from whom it is taken back first; null: nobody, also when it
   * was stored before transfers.
   */
  readonly transferFrom: string | null;
  /** The number of the last attempt; 0 before the first lease. */
  readonly attempt: number;
  /** The newest attempt that was acknowledged; 0: none. */
  readonly acknowledgedAttempt: number;
  /** How often it may still be leased. What has begun is never leased again: then it is 0. */
  readonly attemptsLeft: number;
  /** Which time it runs: one more each time it is queued again. Absent: 1. */
  readonly run?: number;
  /** The number of the last attempt of the runs before. Absent: 0. */
  readonly earlierAttempts?: number;
  /** How many attempts were released since the last report and in this run. Absent: 0. */
  readonly releases?: number;
  /** When the first attempt of this run was released; absent or null: none was. */
  readonly releasedAt?: Date | null;
  /**
   * Whether the plugin that leased it last says `begun` before the first command, and has not said it: none of them ran. Absent: false.
   */
  readonly isUnbegun?: boolean;
  /** When it is checked whether it must still keep the name of an erased buyer; null: it keeps none. */
  readonly nameCheckAt: Date | null;
}

/** One lease of a delivery, and what the plugin reported about it. */
export interface DeliveryAttempt {
  readonly id: string;
  readonly shopId: string;
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  readonly serverId: string;
  /** The player whom its commands were filled in for. */
  readonly nickname: string;
  /** Who leased it: `user:<id>` or `key:<id>`. */
  readonly leasedBy: string;
  readonly leasedAt: Date;
  readonly leaseUntil: Date;
  /** null while nobody has acknowledged it. */
  readonly result: AttemptResult | null;
  /** What the console printed. */
  readonly output: string | null;
  readonly acknowledgedAt: Date | null;
}

/** A leased delivery with its commands filled in. */
export interface LeasedDelivery extends Delivery {
  readonly commands: readonly string[];
  /** Whether an earlier attempt without a report may have run the commands (`isUnreported`). */
  readonly possiblyExecuted: boolean;
}

/** A delivery whose last lease ended without a report, as one process has claimed it. */
export interface AbandonedDelivery {
  readonly id: string;
  readonly shopId: string;
  readonly claimedUntil: Date;
}

/** Which deliveries a list contains; an absent field does not limit it. */
export interface DeliveryFilter {
  readonly serverId?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly orderId?: string | undefined;
  readonly kind?: DeliveryKind | undefined;
}

/** A plugin's report of one attempt. */
export interface Acknowledgement {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly status: (typeof ACKNOWLEDGEMENTS)[number];
  readonly output?: string | null | undefined;
  /** `released`: after how many seconds it can be leased again. */
  readonly retrySeconds?: number | undefined;
  /** `begun`: for how many seconds from now the lease lasts. */
  readonly leaseSeconds?: number | undefined;
}

/** What a report changes in a delivery. */
export type DeliveryReport = Pick<Delivery, 'state' | 'acknowledgedAttempt' | 'deliveredAt' | 'deliveredTo'> &
  Partial<Pick<Delivery, 'dueAt' | 'attemptsLeft' | 'releases' | 'releasedAt' | 'isUnbegun'>>;

/** What a decision of staff changes in an uncertain delivery. */
export type DecidedDelivery = Pick<Delivery, 'state' | 'deliveredAt' | 'deliveredTo'>;

/** How much of an order its player has, or had until it was revoked. */
export type Received = 'nothing' | 'part' | 'everything' | 'revoked';

/** Who changes the nickname of an order. */
export type Renamer = 'buyer' | 'staff';

/** A delivery that a plugin has leased. */
export type Lease = Pick<Delivery, 'orderId' | 'dueAt' | 'attempt'>;

/** What decides about an item beside its own deliveries: its time, its money, and what else its player owns. */
export interface ItemTerms {
  /** When its expiry commands run; null: they do not, or another purchase lasts longer. */
  readonly expiresAt: Date | null;
  /** Whether its player must not keep it, and owns nothing else that gives the same. */
  readonly isRevoked: boolean;
  /** Whether its player owns it, and the game server has removed it since: then the purchase runs again. */
  readonly isLost: boolean;
  /** Which of its commands give it now. */
  readonly stage: PurchaseStage;
  /** Whether another purchase has replaced it: what was not delivered is not delivered any more. */
  readonly isReplaced: boolean;
}

/** How far one item of an order has come. */
export interface ItemProgress {
  /** Which item of the order, from 0. */
  readonly position: number;
  /** As its readers see it (`shownState`). What was taken away again is `revoked`. */
  readonly state: DeliveryState;
  readonly requiresOnline: boolean;
  /** When it was delivered last; null: never. */
  readonly deliveredAt: Date | null;
  /** Whether its latest attempt has no report. */
  readonly isUnreported: boolean;
}

/** How far the deliveries of an order have come. */
export interface DeliveryProgress {
  /** By position. */
  readonly items: readonly ItemProgress[];
  readonly received: Received;
  /** The number of the latest attempt when every lease of the order is over without a report; null otherwise. */
  readonly endedAttempt: number | null;
  /** Whether all of them can still be for another player, when its buyer says so. */
  readonly isRenamable: boolean;
}

/** The result of a report. */
export interface AcknowledgementOutcome {
  readonly deliveryId: string;
  readonly attempt: number;
  /** The state of the delivery now; `unknown` when there is no such delivery. */
  readonly status: DeliveryState | 'unknown';
  readonly accepted: boolean;
}

/** When a purchase was queued and when it was delivered. */
export interface DeliveryTime {
  readonly createdAt: Date;
  readonly deliveredAt: Date;
}
