import { Injectable, type OnModuleInit } from '@nestjs/common';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { OrdersService } from '../order/orders.service.js';
import { OutboxHandlers, type SendingHandler } from '../../events/outbox/outbox-handlers.js';
import { type OutboxItem } from '../../events/outbox/outbox.types.js';
import { OutboxService } from '../../events/outbox/outbox.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type CodeHolder, type Requester } from './nickname-code.types.js';
import { NicknameCodesService } from './nickname-codes.service.js';
import { NicknameEmailsService } from './nickname-emails.service.js';

const TOPIC = 'nickname-code';
const MAX_ATTEMPTS = 5;

interface Request {
  readonly orderId: string;
  readonly requester: Requester;
}

/**
 * Requests of codes. Each is stored alike and processed after the response, so neither the body nor the time of the
 * response shows which orders exist.
 */
@Injectable()
export class NicknameCodeRequestsService implements SendingHandler, OnModuleInit {
  constructor(
    private readonly outbox: OutboxService,
    private readonly handlers: OutboxHandlers,
    private readonly orders: OrdersService,
    private readonly codes: NicknameCodesService,
    private readonly shops: ShopsService,
    private readonly emails: NicknameEmailsService,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.handlers.register(TOPIC, this);
  }

  /** Stores a request, whether the order exists or not. */
  async add(orderId: string, requester: Requester): Promise<void> {
    const payload: Request = { orderId, requester };
    const message = { topic: TOPIC, shopId: null, orderId, lane: 'requests', stream: null, payload };
    await this.transactions.run((transaction) => this.outbox.add([message], transaction));
  }

  /** The holder whose codes and attempts a request uses. */
  async holderOf(orderId: string, { address, orderToken, isBuyer }: Requester): Promise<CodeHolder> {
    if (isBuyer) return this.codes.buyer(orderId);
    const owned = orderToken === undefined ? null : await this.orders.findByToken(orderId, orderToken);
    return owned !== null ? this.codes.buyer(orderId) : this.codes.network(orderId, address);
  }

  /**
   * Issues a code and writes its email, both or neither, if the order exists, has an address, and its limits allow a code. When a request is processed
   * twice, the limits allow no second code.
   */
  async send({ payload }: OutboxItem): Promise<void> {
    const { orderId, requester } = payload as Request;
    const order = await this.orders.findPublic(orderId, null);
    const email = order?.email ?? null;
    if (order === null || email === null) return;
    const shop = await this.shops.settingsOf(order.shopId);
    const holder = await this.holderOf(orderId, requester);
    const byBuyer = this.codes.isBuyer(holder);
    await this.codes.issue(holder, email, (code, transaction) =>
      this.emails.code({ ...order, email }, shop, { code, byBuyer }, transaction),
    );
  }

  retryAfter(attempts: number): number | null {
    return attempts < MAX_ATTEMPTS ? backoff(attempts, MINUTE_MS, DAY_MS) : null;
  }
}
