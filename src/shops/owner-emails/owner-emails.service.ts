import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type EmailContent, shopEmail } from '../../events/mail/email.types.js';
import { type EmailAddition, EmailsService } from '../../events/mail/emails.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { type Shop } from '../shops/shop.types.js';
import { ShopsService } from '../shops/shops.service.js';
import { type User } from '../../accounts/users/user.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { type NoticeKind } from './owner-notice.types.js';
import { OwnerNoticesRepository } from './owner-notices.repository.js';

/** An email to the owners of a shop, and the order that it is about; null: about no order. */
export interface OwnerNotice {
  readonly content: EmailContent;
  readonly orderId: string | null;
}

/** Writes emails to the owners of a shop. No page of the service is for owners, so links lead to the documentation of the API. */
@Injectable()
export class OwnerEmailsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly emails: EmailsService,
    private readonly notices: OwnerNoticesRepository,
  ) {}

  /**
   * Takes an email about an order that anybody can cause: the first one of its kind is sent at once, and the next ones in one summary an
   * hour (`OwnerSummariesService`).
   * @param orderName how the summary calls the order, such as `#1042`
   * @returns whether it is sent now; false while emails are off
   */
  async takeFirst(shopId: string, kind: NoticeKind, orderName: string, transaction: Transaction): Promise<boolean> {
    if (this.emails.areOff) return false;
    return this.notices.takeFirst(shopId, kind, orderName, new Date(), transaction);
  }

  /** The emails to each owner of a shop with each of some notices, for a caller that adds them with others. */
  async emailsTo(shop: Shop, notices: readonly OwnerNotice[], transaction: Transaction): Promise<EmailAddition[]> {
    if (notices.length === 0) return [];
    const people = await this.people(shop.id, null, transaction);
    return notices.flatMap(({ content, orderId }) => additionsTo(people, shop, content, orderId));
  }

  /**
   * Sends an email to each owner of a shop, if and only if the transaction commits.
   * @param context.also the id of another person who gets it; one email is sent if this person is an owner
   * @param context.orderId the order that it is about
   * @param context.by the id of the person who did what it reports; `content` gets the person, or null
   */
  async add(
    shopId: string,
    content: (shop: Shop, by: User | null) => EmailContent,
    transaction: Transaction,
    { also, orderId, by }: { readonly also?: string; readonly orderId?: string; readonly by?: string } = {},
  ): Promise<void> {
    const shop = await this.shops.getIn(shopId, transaction);
    const people = await this.people(shopId, also ?? null, transaction);
    const author = by === undefined ? null : await this.users.findById(by, transaction);
    await this.emails.addAll(additionsTo(people, shop, content(shop, author), orderId ?? null), transaction);
  }

  /** The owners of a shop, and another person. */
  private async people(shopId: string, also: string | null, transaction: Transaction): Promise<User[]> {
    const members = await this.memberships.list(shopId, transaction);
    const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
    const people = await this.users.byIds([...new Set(also === null ? owners : [...owners, also])], transaction);
    return [...people.values()];
  }
}

/** The email to each of some people. */
function additionsTo(
  people: readonly User[],
  shop: Shop,
  content: EmailContent,
  aboutOrderId: string | null,
): EmailAddition[] {
  return people.map(({ email }) => ({ email: shopEmail(email, shop, content), aboutOrderId }));
}
