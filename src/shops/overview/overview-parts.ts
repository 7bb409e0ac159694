import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Permission } from '../../domain/principal/permissions.js';
import { type Shop } from '../shops/shop.types.js';
import { type Contribution } from './overview.types.js';

/** A part of the overview. Its cost must not grow with the number of records: each read ends after a fixed number of them. */
export interface OverviewPart {
  /** Callers without it do not get the part. */
  readonly permission: Permission;
  read(shop: Shop, context: ShopContext, now: Date): Promise<Contribution>;
}

/** The parts of the overview. Each feature adds its own when its module is made: the overview is below the features. */
@Injectable()
export class OverviewParts {
  private readonly parts: OverviewPart[] = [];

  add(part: OverviewPart): void {
    this.parts.push(part);
  }

  /** What a caller with these permissions may see of a shop. */
  async read(shop: Shop, context: ShopContext, now: Date): Promise<readonly Contribution[]> {
    const visible = this.parts.filter(({ permission }) => context.permissions.has(permission));
    return Promise.all(visible.map((part) => part.read(shop, context, now)));
  }
}
