// SPDX-License-Identifier: BSD-3-Clause

package test

import (
	"reflect"
	"testing"

	ours "permxor"
	theirs "permxor/original"
)

// Each assignment compiles only between interfaces with the same methods.
var (
	_ = func(e theirs.Encoder) ours.Encoder { return e }
	_ = func(e ours.Encoder) theirs.Encoder { return e }
	_ = func(e theirs.Extensions) ours.Extensions { return e }
	_ = func(e ours.Extensions) theirs.Extensions { return e }
	_ = func(e theirs.StreamEncoder) ours.StreamEncoder { return e }
	_ = func(e ours.StreamEncoder) theirs.StreamEncoder { return e }
	_ = func(a theirs.WorkAllocator) ours.WorkAllocator { return a }
	_ = func(a ours.WorkAllocator) theirs.WorkAllocator { return a }
)

// Methods that one of the two types lacks would stop a program from compiling.
func TestLowLevelMethods(t *testing.T) {
	mine, other := reflect.TypeOf(ours.LowLevel{}), reflect.TypeOf(theirs.LowLevel{})
	for i := range other.NumMethod() {
		want := other.Method(i)
		got, ok := mine.MethodByName(want.Name)
		if !ok || withoutReceiver(got) != withoutReceiver(want) {
			t.Errorf("%s is %v, theirs %v", want.Name, got.Type, want.Type)
		}
	}
	if mine.NumMethod() != other.NumMethod() {
		t.Errorf("%d methods, theirs has %d", mine.NumMethod(), other.NumMethod())
	}
}

func withoutReceiver(method reflect.Method) string {
	in := make([]reflect.Type, 0, method.Type.NumIn())
	for i := 1; i < method.Type.NumIn(); i++ {
		in = append(in, method.Type.In(i))
	}
	return reflect.FuncOf(in, nil, method.Type.IsVariadic()).String()
}
