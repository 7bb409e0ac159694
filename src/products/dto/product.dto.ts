import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  IdField,
  IdListField,
  MoneyField,
  TextField,
  TextListField,
  TimestampField,
} from '../../common/validation/fields.js';

@ApiSchema({ description: 'A product of a shop.' })
export class ProductDto {
  @IdField({ description: 'Identifier of the product.', example: '655f1c2ab1e4a9d3f0c81270' })
  id!: string;

  @TextField({ maxLength: 120, description: 'Name.', example: 'VIP rank' })
  name!: string;

  @TextField({ minLength: 0, maxLength: 5000, description: 'Description.', example: 'A golden name for 30 days.' })
  description!: string;

  @MoneyField({ description: "Price in major units of the shop's currency.", example: 9.99 })
  price!: number;

  @TextField({ maxLength: 3, description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;

  @TextField({
    nullable: true,
    maxLength: 2000,
    description: 'Address of a picture.',
    example: 'https://cdn.example.com/vip.png',
  })
  imageUrl!: string | null;

  @IdListField({ description: 'For which servers it is sold; empty: all.', example: ['655f1c2ab1e4a9d3f0c81260'] })
  serverIds!: string[];

  @TextListField({
    maxItems: 20,
    maxLength: 500,
    description: 'What the plugin runs, with `{nickname}`, `{uuid}`, `{orderId}` and `{quantity}`.',
    example: ['lp user {nickname} parent add vip'],
  })
  commands!: string[];

  @BooleanField({ description: 'Whether it is for sale.', example: true })
  isActive!: boolean;

  @TimestampField({ description: 'When it was created.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
