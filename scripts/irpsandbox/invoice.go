package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// sent is the part of a document that the portal reads.
type sent struct {
	Version  string
	TranDtls struct{ TaxSch, SupTyp string }
	DocDtls  struct{ Typ, No, Dt string }
	SellerDtls,
	BuyerDtls struct {
		Gstin, LglNm, Addr1, Loc, Stcd, Pos string
		Pin                                 int
	}
	ItemList []struct {
		SlNo, IsServc, HsnCd                              string
		UnitPrice, TotAmt, Discount, AssAmt               float64
		GstRt, IgstAmt, CgstAmt, SgstAmt, TotItemVal, Qty float64
	}
	ValDtls struct{ AssVal, CgstVal, SgstVal, IgstVal, TotInvVal float64 }
}

var (
	numberForm = regexp.MustCompile(`^[a-zA-Z1-9][a-zA-Z0-9/-]{0,15}$`)
	gstinForm  = regexp.MustCompile(`^[0-9]{2}[A-Z0-9]{13}$`)
)

// judge returns the first error that the portal finds, with the codes of its list; nil for a sound document.
func (d sent) judge(gstin string, now time.Time) *problem {
	on, err := time.ParseInLocation("02/01/2006", d.DocDtls.Dt, sandbox.India())
	switch {
	case d.Version != "1.1" || d.TranDtls.TaxSch != "GST":
		return &problem{"5002", "Schema validation failed: Version, TaxSch"}
	case err != nil || !numberForm.MatchString(d.DocDtls.No):
		return &problem{"5002", "Schema validation failed: DocDtls"}
	case d.DocDtls.Typ != "INV" && d.DocDtls.Typ != "CRN" && d.DocDtls.Typ != "DBN":
		return &problem{"5002", "Schema validation failed: Typ"}
	case d.SellerDtls.Gstin != gstin:
		return &problem{"2163", "The document is of another supplier"}
	case !gstinForm.MatchString(d.BuyerDtls.Gstin):
		return &problem{"3028", "Buyer GSTIN is invalid"}
	case d.BuyerDtls.Gstin == d.SellerDtls.Gstin:
		return &problem{"2211", "Supplier and recipient GSTIN should not be the same"}
	case d.SellerDtls.Stcd != d.SellerDtls.Gstin[:2] || d.BuyerDtls.Stcd != d.BuyerDtls.Gstin[:2]:
		return &problem{"3074", "State code does not match the GSTIN"}
	case d.SellerDtls.Pin < 100000 || d.BuyerDtls.Pin < 100000 || d.SellerDtls.Pin > 999999 || d.BuyerDtls.Pin > 999999:
		return &problem{"3039", "Pincode does not exist"}
	case on.After(now):
		return &problem{"2266", "Document date cannot be a future date"}
	case now.Sub(on) > 31*24*time.Hour:
		return &problem{"2305", "The document is older than 30 days"}
	}
	for _, text := range []string{d.SellerDtls.LglNm, d.BuyerDtls.LglNm, d.SellerDtls.Loc, d.BuyerDtls.Loc} {
		if len([]rune(text)) < 3 || len([]rune(text)) > 100 {
			return &problem{"5002", "Schema validation failed: a name or place is too short or too long"}
		}
	}
	return d.judgeAmounts()
}

func (d sent) judgeAmounts() *problem {
	if len(d.ItemList) == 0 {
		return &problem{"5002", "Schema validation failed: ItemList"}
	}
	across := d.BuyerDtls.Pos != d.SellerDtls.Stcd || strings.HasPrefix(d.TranDtls.SupTyp, "SEZ")
	var assessed, igst, cgst, sgst float64
	for _, i := range d.ItemList {
		switch {
		case i.IsServc != "Y" || !strings.HasPrefix(i.HsnCd, "99"):
			return &problem{"2176", "HSN code is invalid for a service"}
		case !isRate(i.GstRt):
			return &problem{"2240", "GST rate is invalid"}
		case far(i.AssAmt, i.TotAmt-i.Discount):
			return &problem{"2233", "Assessable value is not total less discount"}
		case across && (i.CgstAmt != 0 || i.SgstAmt != 0), !across && i.IgstAmt != 0:
			return &problem{"2172", "The taxes do not follow the place of supply"}
		case far(i.IgstAmt+i.CgstAmt+i.SgstAmt, i.AssAmt*i.GstRt/100), i.CgstAmt != i.SgstAmt:
			return &problem{"2234", "The tax is not the rate of the assessable value"}
		case far(i.TotItemVal, i.AssAmt+i.IgstAmt+i.CgstAmt+i.SgstAmt):
			return &problem{"2193", "The item's total is wrong"}
		}
		assessed, igst, cgst, sgst = assessed+i.AssAmt, igst+i.IgstAmt, cgst+i.CgstAmt, sgst+i.SgstAmt
	}
	v := d.ValDtls
	if far(v.AssVal, assessed) || far(v.IgstVal, igst) || far(v.CgstVal, cgst) || far(v.SgstVal, sgst) ||
		far(v.TotInvVal, assessed+igst+cgst+sgst) {
		return &problem{"2189", "The totals are not those of the items"}
	}
	return nil
}

// far reports a difference of more than a rupee, the portal's tolerance.
func far(a, b float64) bool { return math.Abs(a-b) > 1 }

func isRate(rate float64) bool {
	for _, one := range []float64{0, 0.1, 0.25, 0.5, 1, 1.5, 3, 5, 6, 7.5, 12, 18, 28, 40} {
		if math.Abs(rate-one) < 0.001 {
			return true
		}
	}
	return false
}

// reference returns the IRN: SHA-256 of GSTIN, financial year, type and number, the last in capitals since 1 June 2025.
func reference(gstin, typ, number string, on time.Time) string {
	year := on.Year()
	if on.Month() < time.April {
		year--
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s%d-%02d%s%s", gstin, year, (year+1)%100, typ, strings.ToUpper(number))))
	return hex.EncodeToString(sum[:])
}

func (s *server) register(w http.ResponseWriter, r *http.Request, now session) {
	raw, d, ok := s.read(w, r, now)
	if !ok {
		return
	}
	s.mutex.Lock()
	m := s.mode
	s.mutex.Unlock()
	if m.Mode == modeRefuse {
		refuse(w, problem{m.Code, "Refused as the sandbox was told to"})
		return
	}
	if p := d.judge(s.gstin, s.now()); p != nil {
		refuse(w, *p)
		return
	}
	on, _ := time.ParseInLocation("02/01/2006", d.DocDtls.Dt, sandbox.India())
	irn := reference(s.gstin, d.DocDtls.Typ, d.DocDtls.No, on)
	made, old, err := s.book.add(entry{IRN: irn, Typ: d.DocDtls.Typ, No: strings.ToUpper(d.DocDtls.No), Dt: d.DocDtls.Dt, At: s.now()}, func(e *entry) error {
		return s.sign(e, raw, d)
	})
	switch {
	case err != nil:
		http.Error(w, "journal", http.StatusInternalServerError)
	case old && made.Cancelled:
		refuse(w, problem{"2278", "IRN was cancelled; the document number cannot be used again"})
	case old:
		refuse(w, problem{"2150", "Duplicate IRN"}, information{"DUPIRN", map[string]any{
			"AckNo": made.AckNo, "AckDt": made.ackDate(), "Irn": irn,
		}})
	case m.Mode == modeLost:
		http.Error(w, "", http.StatusGatewayTimeout)
	default:
		s.show(w, now, made)
	}
}

func (s *server) read(w http.ResponseWriter, r *http.Request, now session) (raw []byte, d sent, ok bool) {
	var in struct{ Data string }
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in) != nil {
		refuse(w, problem{"1010", "Invalid Json"})
		return nil, d, false
	}
	raw, err := decrypt(now.sek, in.Data)
	if err != nil {
		refuse(w, problem{"1008", "Unable to decrypt the data"})
		return nil, d, false
	}
	if json.Unmarshal(raw, &d) != nil {
		refuse(w, problem{"5002", "Schema validation failed"})
		return nil, d, false
	}
	return raw, d, true
}

// sign makes the two tokens: the whole document with its registration, and the QR code's content.
func (s *server) sign(e *entry, raw []byte, d sent) error {
	var whole map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		return err
	}
	whole["AckNo"], whole["AckDt"], whole["Irn"] = e.AckNo, e.ackDate(), e.IRN
	var err error
	if e.SignedInvoice, err = s.token64(whole); err != nil {
		return err
	}
	e.SignedQR, err = s.token64(map[string]any{
		"SellerGstin": d.SellerDtls.Gstin, "BuyerGstin": d.BuyerDtls.Gstin, "DocNo": d.DocDtls.No, "DocTyp": d.DocDtls.Typ, "DocDt": d.DocDtls.Dt,
		"TotInvVal": d.ValDtls.TotInvVal, "ItemCnt": len(d.ItemList), "MainHsnCode": d.ItemList[0].HsnCd, "Irn": e.IRN, "IrnDt": e.ackDate(),
	})
	return err
}

// token64 signs data as the portal does: RS256 over an object whose data is a text of JSON.
func (s *server) token64(data any) (string, error) {
	inner, err := json.Marshal(data)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]string{"data": string(inner), "iss": "NIC Sandbox"})
	if err != nil {
		return "", err
	}
	part := base64.RawURLEncoding.EncodeToString
	head := part([]byte(`{"alg":"RS256","kid":"SANDBOX","typ":"JWT"}`)) + "." + part(body)
	sum := sha256.Sum256([]byte(head))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.signing, crypto.SHA256, sum[:])
	if err != nil {
		return "", err
	}
	return head + "." + part(signature), nil
}

func (s *server) show(w http.ResponseWriter, now session, e entry) {
	status := "ACT"
	if e.Cancelled {
		status = "CNL"
	}
	data, err := json.Marshal(map[string]any{
		"AckNo": json.Number(e.AckNo), "AckDt": e.ackDate(), "Irn": e.IRN, "SignedInvoice": e.SignedInvoice, "SignedQRCode": e.SignedQR,
		"Status": status, "EwbNo": nil, "EwbDt": nil, "EwbValidTill": nil, "Remarks": nil,
	})
	if err != nil {
		http.Error(w, "answer", http.StatusInternalServerError)
		return
	}
	answer(w, map[string]any{"Status": 1, "ErrorDetails": nil, "InfoDtls": nil, "Data": encrypt(now.sek, data)})
}

// shown is how long a registration can be read; cancellable how long it can be cancelled.
const shown, cancellable = 3 * 24 * time.Hour, 24 * time.Hour

func (s *server) byIRN(w http.ResponseWriter, r *http.Request, now session) {
	e, known := s.book.find(r.PathValue("irn"))
	s.showFound(w, now, e, known, "2148", "Requested IRN data is not available")
}

func (s *server) byDocument(w http.ResponseWriter, r *http.Request, now session) {
	q := r.URL.Query()
	on, err := time.ParseInLocation("02/01/2006", q.Get("docdate"), sandbox.India())
	if err != nil {
		refuse(w, problem{"2266", "Invalid document date"})
		return
	}
	e, known := s.book.find(reference(s.gstin, q.Get("doctype"), q.Get("docnum"), on))
	s.showFound(w, now, e, known, "2154", "IRN details are not found")
}

func (s *server) showFound(w http.ResponseWriter, now session, e entry, known bool, code, text string) {
	switch {
	case !known:
		refuse(w, problem{code, text})
	case s.now().Sub(e.At) > shown:
		refuse(w, problem{"2283", "IRN details cannot be provided as it is generated more than 2 days ago"})
	default:
		s.show(w, now, e)
	}
}

func (s *server) cancel(w http.ResponseWriter, r *http.Request, now session) {
	var in struct{ Data string }
	var asked struct{ Irn, CnlRsn, CnlRem string }
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in) != nil {
		refuse(w, problem{"1010", "Invalid Json"})
		return
	}
	plain, err := decrypt(now.sek, in.Data)
	if err != nil || json.Unmarshal(plain, &asked) != nil || asked.CnlRsn < "1" || asked.CnlRsn > "4" || len(asked.CnlRsn) != 1 {
		refuse(w, problem{"5002", "Schema validation failed"})
		return
	}
	e, p := s.cancelOf(asked.Irn)
	if p != nil {
		refuse(w, *p)
		return
	}
	data, _ := json.Marshal(map[string]any{"Irn": e.IRN, "CancelDate": s.now().In(sandbox.India()).Format(time.DateTime)})
	answer(w, map[string]any{"Status": 1, "ErrorDetails": nil, "InfoDtls": nil, "Data": encrypt(now.sek, data)})
}

func (s *server) cancelOf(irn string) (entry, *problem) {
	e, known := s.book.find(irn)
	switch {
	case !known:
		return e, &problem{"9999", "Invalid IRN"}
	case e.Cancelled:
		return e, &problem{"9999", "IRN is already cancelled"}
	case s.now().Sub(e.At) > cancellable:
		return e, &problem{"2270", "The allowed cancellation time limit is crossed"}
	}
	if err := s.book.cancel(irn); err != nil {
		return e, &problem{"9999", "Journal"}
	}
	return e, nil
}
