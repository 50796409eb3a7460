package support_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

func findBy(t *testing.T, b bundle, q string) []support.Hit {
	t.Helper()
	hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
	require.NoError(t, err, q)
	return hits
}

func TestSearch_NameThatSoundsAlikeOrIsMisspelt_FindsTheCustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	n := 0
	for spellings, others := range map[string]string{
		"Laxmi, Lakshmi, laksmi, Lashkmi, Lakhmi, लक्ष्मी":            "Lalit, Kusum",
		"Sachdev, Sachdeva, Sachdewa, Sacdhev":                        "Sachin",
		"Choudhary, Chaudhari, Chowdhury, Chaudhry, Chodhary, चौधरी":  "Chand",
		"Shree, Shri, Sri, Shrii, श्री":                               "Sushma",
		"Mohammed, Mohd, Muhammad, Mohamad, Mahommed":                 "Mohan",
		"Gupta, Gupt, Guptaa, Gutpa, Gpta, Gupta., गुप्ता":            "Gulati",
		"Vishwanathan, Viswanathan, Vishvanathan, Vishwanatan":        "Vasant",
		"Agarwal, Agrawal, Aggarwal, Agarval, Aggrawal":               "Anand",
		"Bhattacharya, Batacharya, Bhatacharya, Bhattacharjee":        "Bhatia",
		"Deshpande, Despande, Deshpnde, Deshapnde":                    "Desai",
		"Ravi, Rabi, Rvai, Rawi":                                      "Rohan",
		"Zaveri, Jhaveri, Javeri":                                     "Joshi",
		"Sheikh, Shaikh, Shaik, Sheik":                                "Shah",
		"Xavier, Ksavier, Xaviar":                                     "Savita",
		"Krishnamurthy, Krishna Murthy, Krishna Moorthi, Krshnamurti": "Kishan, Murali",
		"Siva Prakash, Sivaprakash, Shivprakash":                      "Siddharth, Pratap",
		"Om Prakash, Omprakash":                                       "Omkar",
		"Jaiprakash, Jai Prakash, Jay Prakash":                        "Jayanti",
		"Zha, Jha":                                                    "Lata",
		"Jhala, Zhala":                                                "Lila",
		"डॉ. रवींद्र, डा० रवींद्र, डा॰ रवींद्र, Dr Ravindra, Dr. Ravindra": "Draupadi",
		"Dr Ramlal, डा० रामलाल, डॉ. रामलाल, Ram Lal":                       "Ramesh",
		"Ganesan, Ganeshan": "Gajanan",
		"Seán, Sean, Seàn":  "Sunil",
	} {
		stored, queries, _ := strings.Cut(spellings, ", ")
		add := func(name string) string {
			n++
			return console.Customer(t, b.DB, b.clock, fmt.Sprintf("98765%05d", n), name, "")
		}
		wanted, unlike := add(stored), map[string]bool{}
		for other := range strings.SplitSeq(others, ", ") {
			if other != "" {
				unlike[add(other)] = true
			}
		}
		for q := range strings.SplitSeq(queries, ", ") {
			found := false
			for _, h := range findBy(t, b, q) {
				found = found || h.FranchiserID != nil && *h.FranchiserID == wanted
				require.False(t, h.FranchiserID != nil && unlike[*h.FranchiserID], "%s found %s", q, h.Label)
			}
			require.True(t, found, "%s should find %s", q, stored)
		}
	}
}

func TestSearch_MisspeltNameOfSeveralWords_NeedsEachWordInAnyOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Mohammed", "Bhattacharya")
	console.ClaimDomain(t, b.DB, b.clock, asha) // the store is Royal Sweets
	_, err := b.DB.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id, city, zipcode, location,
			legal_name, created_at, updated_at)
		VALUES ($1, $2, '12', 'MG Road', '', (SELECT id FROM countries LIMIT 1), (SELECT id FROM states LIMIT 1), 'Pune', '411001', 'Pune',
			'Raghunathan Foods LLP', now(), now())`, id.New(), asha)
	require.NoError(t, err)
	for _, q := range []string{"Batacharya Mohamed", "mohd batacharya", "Md Batacharya", "Royl Sweets", "sweats royal", "Ragunatan Food", "M. Batacharya"} {
		hits := findBy(t, b, q)
		require.Len(t, hits, 1, q)
		require.Equal(t, "sounds_like", hits[0].Kind, q)
		require.Equal(t, asha, *hits[0].FranchiserID, q)
		require.Equal(t, "9876543210", hits[0].Mobile, q)
	}
	for _, q := range []string{"Batacharya Suresh", "Sweets Batacharya", "Xyzzy", "中文字", "...", "&&&", "-'.'-"} {
		require.Empty(t, findBy(t, b, q), q)
	}
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET erased_at = now(), first_name = '', last_name = ''`)
	require.NoError(t, err)
	require.Empty(t, findBy(t, b, "Batacharya"))
}

func TestSearch_NamesThatSoundAlike_RankAfterMatches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n, name := range []string{"Lakhmi", "Lakshmi", "Laxmi", "Laxmikant"} {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98765432%02d", n), name, "")
	}
	var found []string
	for _, h := range findBy(t, b, "Laxmi") {
		found = append(found, h.Kind+" "+h.Label)
	}
	require.Equal(t, []string{"name Laxmi", "email laxmikant9876543203@example.in", "sounds_like Lakshmi", "sounds_like Lakhmi"}, found)
}

func TestSearch_CustomersThatMatchInSeveralWays_LeaveRoomForNamesThatSoundAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 7 {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98765432%02d", n), "Laxmi", "")
	}
	lakhmi := console.Customer(t, b.DB, b.clock, "9876543209", "Lakhmi", "")
	hits := findBy(t, b, "Laxmi")
	require.Len(t, hits, 8)
	require.Equal(t, lakhmi, *hits[7].FranchiserID)
}

func TestSearch_NameThatContinuesTheSearch_ComesAfterTheExactName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n, name := range []string{"Ganesan", "Ganesh", "Krishna Murthy", "Krishnamurthy"} {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98765432%02d", n), name, "")
	}
	for q, want := range map[string][]string{
		"Ganesan": {"Ganesan"}, "Ganesh": {"Ganesh"}, "Krishnamurthy": {"Krishnamurthy", "Krishna Murthy"},
		"Krishna Murthy": {"Krishna Murthy", "Krishnamurthy"},
	} {
		var found []string
		for _, h := range findBy(t, b, q) {
			found = append(found, h.Name)
		}
		require.Equal(t, want, found, q)
	}
}

func TestSearch_FewCustomersThatMatchInSeveralWays_AreNotCutOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 3 {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98765432%02d", n), "Lakshmi", fmt.Sprint("Lakshmi ", n))
	}
	for _, q := range []string{"Lakshmi", "Laxmi", "Lakshmi Lakshmi"} {
		hits, more, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err)
		require.Len(t, hits, 3, q)
		require.False(t, more, q)
	}
}
