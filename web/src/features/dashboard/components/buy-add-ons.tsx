import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { previewQuery, type Charge } from '@/domain/payment/charge';
import { PaymentDetailsModal } from '@/domain/payment/payment-details-modal';
import { usePayment } from '@/domain/payment/use-payment';
import { WayOn } from '@/ui/way-on';
import { Async } from '@/ui/states';
import { gstPercent } from '@/content/gst';
import { explain, toApiError } from '@/lib/api/errors';
import { availableAddOnsQuery } from '../api/available-add-ons';
import { AddOnChecks } from './add-on-checks';

const NOTHING_CHOSEN = t`Choose at least one add-on.`;
const BACK = '/dashboard';

export interface BuyAddOnsProps {
  open: boolean;
  subscriptionId: string;
  onClose: () => void;
}

/** The price of the ticked add-ons, computed by the server. */
function RunningTotal({ charge, chosen }: { charge: Charge; chosen: number }) {
  const preview = useQuery({ ...previewQuery(charge), enabled: chosen > 0, placeholderData: keepPreviousData });
  const total = chosen > 0 ? preview.data?.total : '₹0';
  return (
    <p className="running-total" role="status">
      <span>{t`Total to pay`}</span>
      {preview.isError && chosen > 0 ? (
        <span className="text-danger text-sm">
          {explain(preview.error)} <WayOn to={toApiError(preview.error).redirectTo} back={BACK} />
        </span>
      ) : (
        <span>
          <b className={`tabular text-lg ${preview.isPlaceholderData ? 'is-updating' : ''}`}>{total ?? '…'}</b>{' '}
          <span className="text-muted text-sm">{chosen > 0 && t`with ${gstPercent}% GST`}</span>
        </span>
      )}
    </p>
  );
}

/** Buying add-ons: tick them, see the total, review the payment details, pay. */
export function BuyAddOns({ open, subscriptionId, onClose }: BuyAddOnsProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState(false);
  const [paying, setPaying] = useState(false);
  const addOns = useQuery({ ...availableAddOnsQuery(subscriptionId), enabled: open });
  const payment = usePayment({ back: BACK });
  const charge: Charge = {
    of: 'add-ons',
    selection: { subscription_id: subscriptionId, add_ons_service_id: [...chosen] },
  };

  const handleToggle = (id: string) => {
    setRefused(false);
    setChosen((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id]));
  };
  const handleClose = () => {
    setChosen([]);
    setRefused(false);
    setPaying(false);
    onClose();
  };
  const handleSecurePayment = () => {
    if (chosen.length > 0) setPaying(true);
    else setRefused(true);
  };
  return (
    <>
      <Modal
        open={open && !paying}
        title={t`Add add-ons`}
        onClose={handleClose}
        footer={
          addOns.data && addOns.data.length > 0 && <Button onClick={handleSecurePayment}>{t`Secure Payment`}</Button>
        }
      >
        <div className="stack-sm">
          {refused && (
            <Notice tone="warning" live>
              {NOTHING_CHOSEN}
            </Notice>
          )}
          <Async query={addOns} what={t`the add-ons`}>
            {(available) => <AddOnChecks addOns={available} chosen={chosen} onToggle={handleToggle} />}
          </Async>
          {addOns.data && addOns.data.length > 0 && <RunningTotal charge={charge} chosen={chosen.length} />}
        </div>
      </Modal>
      <PaymentDetailsModal open={open && paying} charge={charge} payment={payment} back={BACK} onClose={handleClose} />
    </>
  );
}
