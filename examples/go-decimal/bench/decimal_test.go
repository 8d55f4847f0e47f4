// Package decimalbench measures github.com/shopspring/decimal through its
// public API only, so that one source file builds against every version.
package decimalbench

import (
	"testing"

	"github.com/shopspring/decimal"
)

// Results go to package variables so that the compiler can't drop the calls.
var (
	sinkDecimal decimal.Decimal
	sinkString  string
	sinkBytes   []byte
	sinkInt     int
	sinkErr     error
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func BenchmarkNew(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sinkDecimal = decimal.New(12345, -2)
	}
}

func BenchmarkNewFromFloat(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sinkDecimal = decimal.NewFromFloat(72.4237)
	}
}

func BenchmarkNewFromString(b *testing.B) {
	for _, in := range []struct{ name, text string }{
		{"short", "72.42"},
		{"long", "123456789012345678901234.567890"},
		{"exponent", "1.5e-7"},
	} {
		b.Run(in.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				sinkDecimal, sinkErr = decimal.NewFromString(in.text)
			}
		})
	}
}

func benchBinary(b *testing.B, x, y decimal.Decimal, op func(x, y decimal.Decimal) decimal.Decimal) {
	for i := 0; i < b.N; i++ {
		sinkDecimal = op(x, y)
	}
}

func BenchmarkAdd(b *testing.B) {
	b.Run("same-scale", func(b *testing.B) { benchBinary(b, dec("1234.56"), dec("7.89"), decimal.Decimal.Add) })
	b.Run("mixed-scale", func(b *testing.B) { benchBinary(b, dec("1234.56"), dec("0.0000123"), decimal.Decimal.Add) })
}

func BenchmarkMul(b *testing.B) { benchBinary(b, dec("1234.56"), dec("7.89"), decimal.Decimal.Mul) }
func BenchmarkDiv(b *testing.B) { benchBinary(b, dec("1234.56"), dec("7.89"), decimal.Decimal.Div) }

func BenchmarkPow(b *testing.B) {
	b.Run("whole", func(b *testing.B) { benchBinary(b, dec("1.05"), dec("12"), decimal.Decimal.Pow) })
	b.Run("fraction", func(b *testing.B) { benchBinary(b, dec("1.05"), dec("2.5"), decimal.Decimal.Pow) })
}

func BenchmarkCmp(b *testing.B) {
	x, y := dec("1234.56"), dec("1234.561")
	for i := 0; i < b.N; i++ {
		sinkInt = x.Cmp(y)
	}
}

func benchRound(b *testing.B, x decimal.Decimal, places int32, op func(x decimal.Decimal, places int32) decimal.Decimal) {
	for i := 0; i < b.N; i++ {
		sinkDecimal = op(x, places)
	}
}

// In the "cut" cases digits are rounded away. In the "fits" cases the value
// already has fewer decimal places than asked for.
func BenchmarkRound(b *testing.B) {
	b.Run("cut", func(b *testing.B) { benchRound(b, dec("1454.987654321"), 2, decimal.Decimal.Round) })
	b.Run("fits", func(b *testing.B) { benchRound(b, dec("12.5"), 4, decimal.Decimal.Round) })
}

func BenchmarkRoundUp(b *testing.B) {
	b.Run("cut", func(b *testing.B) { benchRound(b, dec("1454.987654321"), 2, decimal.Decimal.RoundUp) })
	b.Run("fits", func(b *testing.B) { benchRound(b, dec("12.5"), 4, decimal.Decimal.RoundUp) })
}

func BenchmarkRoundFloor(b *testing.B) {
	b.Run("fits", func(b *testing.B) { benchRound(b, dec("12.5"), 4, decimal.Decimal.RoundFloor) })
}

func BenchmarkString(b *testing.B) {
	x := dec("1234567.89")
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sinkString = x.String()
	}
}

func BenchmarkMarshalBinary(b *testing.B) {
	x := dec("1234567.89")
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sinkBytes, sinkErr = x.MarshalBinary()
	}
}

func BenchmarkUnmarshalBinary(b *testing.B) {
	data, err := dec("1234567.89").MarshalBinary()
	if err != nil {
		b.Fatal(err)
	}
	var x decimal.Decimal
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sinkErr = x.UnmarshalBinary(data)
	}
	sinkDecimal = x
}
