import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  CodeField,
  EmailField,
  FollowsRule,
  IdField,
  IntegerField,
  MoneyField,
  ObjectListField,
  StringField,
} from '../../../http/validation/fields.js';
import { CONSENT_KINDS } from '../../../shops/consents/consent.types.js';
import { ConsentDto } from '../../../shops/consents/dto/consent.dto.js';
import { repeatedConsents } from '../consent-checks.js';

@ApiSchema({ description: 'One product of a checkout and its quantity.' })
export class OrderLineDto {
  @IdField({ description: 'The product.', example: '655f1c2ab1e4a9d3f0c81270' })
  productId!: string;

  @IntegerField({ minimum: 1, maximum: 1000, description: 'The quantity.', example: 1 })
  quantity!: number;
}

@ApiSchema({ description: "A buyer's checkout. The server computes the prices." })
export class CheckoutDto {
  @ObjectListField(
    {
      minItems: 1,
      maxItems: 50,
      description: 'The products to buy. Name each product once, with its quantity.',
      example: [{ productId: '655f1c2ab1e4a9d3f0c81270', quantity: 1 }],
    },
    () => OrderLineDto,
  )
  items!: OrderLineDto[];

  @IdField({ description: 'The game server that the order is for.', example: '655f1c2ab1e4a9d3f0c81260' })
  serverId!: string;

  @StringField({
    maxLength: 32,
    description:
      "The player who receives the items. It must follow the shop's nickname rule, and be safe in the commands of the order.",
    example: 'Steve_42',
  })
  nickname!: string;

  @EmailField({
    description: "The buyer's email address, for verification codes and order emails.",
    example: 'buyer@example.com',
  })
  email!: string;

  @MoneyField({
    optional: true,
    description:
      'The total that the buyer has seen, in major units. An order that costs more is rejected with `price_changed`; one that costs ' +
      'less is placed.',
    example: 9.99,
  })
  expectedTotal?: number;

  @BooleanField({
    optional: true,
    description:
      'Whether the buyer accepts that the higher tier costs less than was paid for the lower one, so that a part of it is lost. Only the mailbox that ' +
      'paid for the lower tier can accept it.',
    example: false,
  })
  acceptUnusedCredit?: boolean;

  @FollowsRule(repeatedConsents)
  @ObjectListField(
    {
      optional: true,
      maxItems: CONSENT_KINDS.length,
      description:
        'What the buyer agrees to: each of the `legal.consents` of the shop, in the version that the buyer has seen. A box must not be ticked before the buyer ' +
        'does it. A quote has what is required, too.',
      example: [{ kind: 'terms', version: 1 }],
    },
    () => ConsentDto,
  )
  consents?: ConsentDto[];

  @CodeField({ optional: true, maxLength: 40, description: 'A discount code.', example: 'SUMMER10' })
  discountCode?: string;
}
