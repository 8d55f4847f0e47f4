// Package decimalbench measures a few operations of github.com/shopspring/decimal, in whichever version go.mod asks for.
package decimalbench

import (
	"testing"

	"github.com/shopspring/decimal"
)

// Results go to package variables so that the compiler can't drop the calls.
var (
	sink     decimal.Decimal
	sinkText string
)

var (
	price = decimal.RequireFromString("1234.56")
	rate  = decimal.RequireFromString("7.89")
)

func measure(b *testing.B, operation func() decimal.Decimal) {
	for i := 0; i < b.N; i++ {
		sink = operation()
	}
}

func BenchmarkParse(b *testing.B) {
	measure(b, func() decimal.Decimal { return decimal.RequireFromString("72.42") })
}

func BenchmarkMul(b *testing.B) { measure(b, func() decimal.Decimal { return price.Mul(rate) }) }
func BenchmarkDiv(b *testing.B) { measure(b, func() decimal.Decimal { return price.Div(rate) }) }

// The value has two decimal places already.
func BenchmarkRoundUp(b *testing.B) { measure(b, func() decimal.Decimal { return price.RoundUp(2) }) }

func BenchmarkString(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sinkText = price.String()
	}
}
