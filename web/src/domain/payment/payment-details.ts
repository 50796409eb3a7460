import { latePart } from '@/start/page/late';

/** The payment details, loaded lazily for pages that do not show them at first. */
export const PaymentDetails = latePart(async () => (await import('./payment-details-modal')).PaymentDetailsModal);
