import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdListField, MoneyField, TextField, TextListField } from '../../common/validation/fields.js';

@ApiSchema({ description: 'A product to create.' })
export class CreateProductDto {
  @TextField({ maxLength: 120, description: 'Name.', example: 'VIP rank' })
  name!: string;

  @TextField({
    optional: true,
    minLength: 0,
    maxLength: 5000,
    description: 'Description.',
    example: 'A golden name for 30 days.',
  })
  description?: string;

  @MoneyField({ description: "Price in major units of the shop's currency.", example: 9.99 })
  price!: number;

  @TextField({
    optional: true,
    nullable: true,
    maxLength: 2000,
    pattern: { regex: /^https:\/\/\S+$/, says: 'must be an https URL' },
    description: 'Address of a picture.',
    example: 'https://cdn.example.com/vip.png',
  })
  imageUrl?: string | null;

  @IdListField({
    optional: true,
    description: 'For which servers it is sold; empty or absent: all.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds?: string[];

  @TextListField({
    optional: true,
    maxItems: 20,
    maxLength: 500,
    description: 'What the plugin runs, with `{nickname}`, `{uuid}`, `{orderId}` and `{quantity}`.',
    example: ['lp user {nickname} parent add vip'],
  })
  commands?: string[];

  @BooleanField({ optional: true, description: 'Whether it is for sale; absent: yes.', example: true })
  isActive?: boolean;
}
