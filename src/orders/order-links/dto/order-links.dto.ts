import { ApiSchema } from '@nestjs/swagger';
import { ChoiceField, EmailField, IdField } from '../../../http/validation/fields.js';

@ApiSchema({ description: 'Whose orders, and in which shop.' })
export class RequestOrderLinksDto {
  @IdField({ description: 'The shop.', example: '655f1c2ab1e4a9d3f0c81234' })
  shopId!: string;

  @EmailField({
    description: 'The address of the orders, in any spelling of its mailbox.',
    example: 'buyer@example.com',
  })
  email!: string;
}

@ApiSchema({ description: 'The same for every address.' })
export class OrderLinksRequestedDto {
  @ChoiceField({ oneOf: ['accepted'], description: 'The request was accepted.', example: 'accepted' })
  status!: 'accepted';
}
