import { BooleanField, IdListField, MoneyField, TextField, TextListField } from '../../common/validation/fields.js';
import { HttpsUrlField } from '../../common/validation/https-url.field.js';

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class ProductFields {
  @TextField({ maxLength: 120, description: 'Name.', example: 'VIP rank' })
  name!: string;

  @TextField({ minLength: 0, maxLength: 5000, description: 'Description.', example: 'A golden name for 30 days.' })
  description!: string;

  @MoneyField({ description: "Price in major units of the shop's currency.", example: 9.99 })
  price!: number;

  @HttpsUrlField({
    nullable: true,
    maxLength: 2000,
    description: 'Address of a picture.',
    example: 'https://cdn.example.com/vip.png',
  })
  imageUrl!: string | null;

  @IdListField({
    description: 'The game servers that it is sold for; empty: all.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: readonly string[];

  @TextListField({
    maxItems: 20,
    maxLength: 500,
    description:
      'The commands that the plugin runs. `{nickname}`, `{uuid}`, `{orderId}` and `{quantity}` are filled in. Each must be an ' +
      'argument of its own, with a space or a double quote directly on both sides. In double quotes, a nickname may have spaces.',
    example: ['lp user {nickname} parent add vip'],
  })
  commands!: readonly string[];

  @BooleanField({
    description: 'Whether the commands wait until the player is online. Orders keep what was set when they were made.',
    example: false,
  })
  requiresOnline!: boolean;

  @BooleanField({ description: 'Whether it is for sale.', example: true })
  isActive!: boolean;
}
